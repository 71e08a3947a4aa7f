import Foundation

/// A complete copy of the sources in a new folder.
struct OutputFolder {
  private static let skipped: Set<String> = [".build", ".git"]

  private let path: String
  /// The files and folders that are copied, without links.
  private let sources: [String]
  /// The folder whose contents are those of the copy.
  private let root: String
  private var manager: FileManager { .default }

  /// Refuses a folder that has files.
  init(_ path: String, copying paths: [String]) throws(PortError) {
    self.path = path
    let sources = Set(paths.compactMap(Self.source))
    self.sources = sources.sorted()
    root = Self.root(of: self.sources)
    guard FileManager.default.fileExists(atPath: path) else { return }
    guard (try? FileManager.default.contentsOfDirectory(atPath: path)) == [] else {
      throw .cannotCreate("\(path): the output folder is there and not empty. Name a new one.")
    }
  }

  /// Writes the files that change, and copies all others.
  ///
  /// - Returns: The paths of the files whose copy cannot be written.
  func write(_ files: [ProgramPort.RewrittenFile]) throws(PortError) -> [String] {
    guard (try? manager.createDirectory(atPath: path, withIntermediateDirectories: true)) != nil,
      let folder = FilePath.resolved(path)
    else { throw .output("\(path): the folder cannot be made.") }
    var failed: [String: String] = [:]
    // The new texts are first, so that none is written through a link of the copy.
    for file in files {
      let source = FilePath.entry(file.path) ?? file.path
      let target = target(of: source, in: folder)
      do {
        try createFolder(of: target)
        try FileWriter.write(file.new, to: target, like: file.path)
      } catch {
        failed[source] = file.path
      }
    }
    for source in sources { copy(source, to: folder, &failed) }
    return failed.values.sorted()
  }

  /// The absolute path of a file or folder that is named.
  private static func source(_ path: String) -> String? {
    FilePath.isFolder(path) ? FilePath.resolved(path) : FilePath.entry(path)
  }

  /// A single folder, or else the current one; if a file is outside of that, the innermost that
  /// contains all.
  private static func root(of sources: [String]) -> String {
    let outer = sources.filter { source in
      !sources.contains { $0 != source && FilePath.rest(of: source, in: $0) != nil }
    }
    if outer.count == 1, let folder = outer.first, FilePath.isFolder(folder) { return folder }
    var root = FilePath.resolved(".") ?? "/"
    if outer.allSatisfy({ FilePath.rest(of: $0, in: root) != nil }) { return root }
    root = parent(of: outer.first ?? "/")
    while !outer.allSatisfy({ FilePath.rest(of: $0, in: root) != nil }) { root = parent(of: root) }
    return root
  }

  private static func parent(of path: String) -> String {
    "/" + path.split(separator: "/").dropLast().joined(separator: "/")
  }

  private func target(of source: String, in folder: String) -> String {
    FilePath.join(folder, FilePath.rest(of: source, in: root) ?? "")
  }

  private func createFolder(of file: String) throws {
    try manager.createDirectory(
      atPath: Self.parent(of: file), withIntermediateDirectories: true)
  }

  /// Copies a file or a folder, except what is there already.
  private func copy(_ source: String, to folder: String, _ failed: inout [String: String]) {
    // The copy may lie in the folder that is copied.
    guard source != folder, failed[source] == nil else { return }
    let target = target(of: source, in: folder)
    do {
      let type = try manager.attributesOfItem(atPath: source)[.type] as? FileAttributeType
      if type == .typeDirectory {
        try manager.createDirectory(atPath: target, withIntermediateDirectories: true)
        for name in try manager.contentsOfDirectory(atPath: source)
        where !Self.skipped.contains(name) && !FileWriter.isTemporary(name) {
          copy(FilePath.join(source, name), to: folder, &failed)
        }
      } else if (try? manager.attributesOfItem(atPath: target)) == nil {
        try createFolder(of: target)
        if type == .typeSymbolicLink {
          try copyLink(source, to: target, in: folder)
        } else if type == .typeRegular {
          try manager.copyItem(atPath: source, toPath: target)
        }
      }
    } catch {
      failed[source] = FilePath.fromCurrentFolder(source)
    }
  }

  /// A link to a file or folder that is copied leads to the copy, and one to another file becomes
  /// that file.
  private func copyLink(_ source: String, to target: String, in folder: String) throws {
    let destination = try manager.destinationOfSymbolicLink(atPath: source)
    let parents =
      FilePath.rest(of: Self.parent(of: target), in: folder)?.split(separator: "/") ?? []
    let file = FilePath.resolved(source)
    if let file, !isCopied(file) {
      if FilePath.isFolder(file) {
        try manager.createSymbolicLink(atPath: target, withDestinationPath: file)
      } else {
        try manager.copyItem(atPath: file, toPath: target)
      }
    } else if let file, Self.leaves(destination, parents.count) {
      let rest = FilePath.rest(of: file, in: root) ?? ""
      let path = parents.map { _ in ".." } + [rest.isEmpty ? "." : rest]
      try manager.createSymbolicLink(
        atPath: target, withDestinationPath: path.joined(separator: "/"))
    } else {
      try manager.createSymbolicLink(atPath: target, withDestinationPath: destination)
    }
  }

  /// Whether a path names a folder outside of the one that is some levels up.
  private static func leaves(_ path: String, _ levels: Int) -> Bool {
    var level = levels
    for component in path.split(separator: "/") where component != "." {
      level += component == ".." ? -1 : 1
      if level < 0 { return true }
    }
    return path.hasPrefix("/")
  }

  private func isCopied(_ file: String) -> Bool {
    sources.contains { source in
      guard let rest = FilePath.rest(of: file, in: source) else { return false }
      return Self.skipped.isDisjoint(with: rest.split(separator: "/").map(String.init))
    }
  }
}
