import Foundation

/// The files that are compared with the tables of sentences.
enum Sources {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../Sources").standardized

  private static let folders = [
    "KeyValueObservingCore/Diagnostics", "KeyValueObservingFoundation/Diagnostics",
  ]

  /// The names of all sentences: of the functions that make them, and of the cases of the error.
  static func sentenceNames() throws -> Set<String> {
    var names: Set<String> = []
    for folder in folders {
      for file in try files(in: folder) where holdsSentences(file) {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /(?m)^  static (?:func|var) (\w+)/) {
          names.insert(String(match.1))
        }
        for match in text.matches(of: /(?m)^    case \.(\w+)\(/) { names.insert(String(match.1)) }
      }
    }
    // What they say is what their reason says.
    return names.subtracting(["invalidKeyPath"])
  }

  private static func holdsSentences(_ file: URL) -> Bool {
    let name = file.lastPathComponent
    return name == "Trap.swift" || name.contains("+")
  }

  private static func files(in folder: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: root.appending(path: folder), includingPropertiesForKeys: nil)
  }

  /// The sentences that the article shows, by the names in the comments before them.
  static func shownSentences() throws -> [(name: String, text: String)] {
    let article = root.appending(
      path: "KeyValueObservingCore/KeyValueObservingCore.docc/Articles/Diagnostics.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    return text.matches(of: /<!-- sentence: ([^>]+) -->\n```\n((?:.+\n)+?)```/).map { match in
      let lines = match.2.split(separator: "\n")
      return (String(match.1), lines.joined(separator: " "))
    }
  }
}
