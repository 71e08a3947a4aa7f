import Foundation
import Testing

/// A block of a file of test cases: a title behind `===`, and parts behind `---`.
struct Row: CustomTestStringConvertible, Sendable {
  let title: String
  private let parts: [String: String]

  var testDescription: String { title }

  subscript(part: String) -> String { parts[part] ?? "" }

  /// The rest of the line of `--- options`.
  let options: [String]

  private init(_ block: Substring) {
    var lines = block.split(separator: "\n", omittingEmptySubsequences: false)
    title = String(lines.removeFirst())
    var options: [String] = []
    var parts: [String: String] = [:]
    var part = ""
    for line in lines {
      guard line.hasPrefix("--- ") else {
        parts[part, default: ""] += line + "\n"
        continue
      }
      let words = line.dropFirst(4).split(separator: " ").map(String.init)
      part = words[0]
      if part == "options" { options = Array(words.dropFirst()) }
    }
    // Blocks are separated by an empty line.
    self.parts = parts.mapValues { text in
      var text = text[...]
      while text.hasSuffix("\n\n") { text = text.dropLast() }
      return String(text)
    }
    self.options = options
  }

  /// The blocks of a file beside this one.
  static func all(in name: String) throws -> [Row] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    return ("\n" + text).split(separator: "\n=== ").map { Row($0) }
  }
}
