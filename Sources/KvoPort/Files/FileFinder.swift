import Foundation

/// Finds the files that paths name.
struct FileFinder {
  private static let generated: Set<String> = [
    ".build", ".git", ".swiftpm", "Pods", "Carthage", "checkouts", "DerivedData", "Generated",
    "generated",
  ]

  /// Files of Swift, in the order of their paths.
  private(set) var swiftFiles: [String] = []
  /// Files of Objective-C beside them.
  private(set) var objectiveCFiles: [String] = []
  private let excluded: [Glob]
  private var found: Set<String> = []
  private var links: [String] = []

  init(_ paths: [String], excluding excluded: [Glob]) throws(PortError) {
    self.excluded = excluded
    for path in paths {
      guard FileManager.default.fileExists(atPath: path) else {
        throw .noInput("\(path): there is no such file or folder.")
      }
      if FilePath.isFolder(path) {
        try search(path, below: path)
      } else {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        if !isExcluded(path, below: folder) { add(path) }
      }
    }
    // A file has its own name, unless only a link to it was found.
    for link in links { add(link) }
    swiftFiles.sort()
    objectiveCFiles.sort()
  }

  private mutating func search(_ folder: String, below root: String) throws(PortError) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw .noInput("\(folder): the folder cannot be read.")
    }
    for name in names.sorted() where !Self.generated.contains(name) {
      let path = folder == "." ? name : FilePath.join(folder, name)
      if isExcluded(path, below: root) { continue }
      let isFolder = FilePath.isFolder(path)
      if Self.isLink(path) {
        // A link may lead to a folder around it, or nowhere.
        if !isFolder, FileManager.default.fileExists(atPath: path) { links.append(path) }
      } else if isFolder {
        try search(path, below: root)
      } else {
        add(path)
      }
    }
  }

  private func isExcluded(_ path: String, below root: String) -> Bool {
    excluded.contains { $0.matches(path, below: root) }
  }

  private static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  private mutating func add(_ path: String) {
    // A file that is named twice is edited once.
    guard found.insert(FilePath.resolved(path) ?? path).inserted else { return }
    if path.hasSuffix(".swift") {
      swiftFiles.append(path)
    } else if path.hasSuffix(".m") || path.hasSuffix(".mm") {
      objectiveCFiles.append(path)
    }
  }
}
