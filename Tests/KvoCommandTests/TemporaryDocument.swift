import Foundation

/// A document in a directory of its own, saved in the ways that editors save.
final class TemporaryDocument {
  let directory: URL
  let url: URL

  var path: String { url.path }

  init(_ text: String? = nil) throws {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "kvo-\(UUID().uuidString)")
    url = directory.appending(path: "document.json")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    if let text { try writeInPlace(text) }
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// Truncates the file and writes it.
  func writeInPlace(_ text: String) throws {
    try Data(text.utf8).write(to: url)
  }

  /// Writes another file and renames it over the former.
  func replace(_ text: String) throws {
    let draft = directory.appending(path: "draft")
    try Data(text.utf8).write(to: draft)
    guard rename(draft.path, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  func remove() throws {
    try FileManager.default.removeItem(at: url)
  }
}
