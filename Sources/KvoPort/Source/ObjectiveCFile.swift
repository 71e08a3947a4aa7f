import Foundation

/// A file of Objective-C that uses key-value observing.
struct ObjectiveCFile {
  private static let words = [
    "forKeyPath:", "observeValueForKeyPath:", "willChangeValueForKey:", "didChangeValueForKey:",
    "keyPathsForValuesAffecting",
  ]

  let site: Site

  /// The words of a file.
  static func words(path: String) -> Set<String> {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    return Set(String(decoding: data, as: UTF8.self).words)
  }

  init?(path: String) {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let lines = String(decoding: data, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let uses = lines.indices.filter { index in
      let code = lines[index].prefix { $0 != "/" || !lines[index].contains("//") }
      return Self.words.contains { code.contains($0) }
    }
    guard let first = uses.first else { return nil }
    site = Site(
      path: path, line: first + 1, column: 1, pattern: .objectiveC, status: .manual, isOwn: false,
      isEdited: false, isNote: false, message: Messages.objectiveCFile(uses.count))
  }
}
