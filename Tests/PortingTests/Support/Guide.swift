import Foundation

/// The porting guide and the pages on Foundation's classes, on foreign objects, on streams and on
/// Observation, and the code of their tests that they quote.
///
/// A file of tests marks the code that the guide shows:
///
///     // guide: tokens
///     let observation = player.observe(\.rate) { … }
///     // end
///
/// The guide labels the block that shows it with `<!-- guide: tokens -->`. Where a name is marked
/// more than once, the block shows one piece after the other, with an empty line between.
enum Guide {
  /// One block of Swift in an article.
  struct Block {
    /// The file and the line.
    let place: String
    /// What the comment before the block says is shown.
    let name: String?
    /// Whether the block is what one had before porting, which is not compiled.
    let isBefore: Bool
    let code: String
  }

  private static let tests = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Where the marked code is.
  ///
  /// That of streams is compiled where its library is.
  private static let folders = [
    ".", "../KeyValueObservingRxSwiftTests", "../KeyValueObservingOpenCombineTests",
  ].map { tests.appending(path: $0) }

  private static let articles = [
    "KeyValueObserving/KeyValueObserving.docc/Porting.md",
    "KeyValueObserving/KeyValueObserving.docc/RxSwift.md",
    "KeyValueObserving/KeyValueObserving.docc/OpenCombine.md",
    "KeyValueObserving/KeyValueObserving.docc/ForeignObjects.md",
    "KeyValueObservingFoundation/KeyValueObservingFoundation.docc/FoundationClasses.md",
    "KeyValueObserving/KeyValueObserving.docc/Observation.md",
  ].map { tests.appending(path: "../../Sources/\($0)") }

  /// The blocks of Swift in the articles.
  static func blocks() throws -> [Block] { try articles.flatMap(blocks(in:)) }

  /// The first line of the paragraph before a block says what it is.
  private static func blocks(in article: URL) throws -> [Block] {
    var blocks: [Block] = []
    var (introduction, previous) = ("", "")
    var rest = try lines(of: article).enumerated().makeIterator()
    while let (index, line) = rest.next() {
      if line == "```swift" {
        var code: [String] = []
        while let (_, line) = rest.next(), line != "```" { code.append(line) }
        blocks.append(
          Block(
            place: "\(article.lastPathComponent):\(index + 1)",
            name: introduction.between("<!-- guide: ", " -->"),
            isBefore: introduction.hasPrefix("Before"), code: code.joined(separator: "\n")))
        introduction = ""
      } else if previous.isEmpty {
        introduction = line
      }
      previous = line
    }
    return blocks
  }

  /// The marked code of all tests, by name.
  static func snippets() throws -> [String: String] {
    try folders
      .flatMap {
        try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
      }
      .filter { $0.pathExtension == "swift" }
      .map(snippets(in:))
      .reduce(into: [:]) { all, some in
        all.merge(some) { "\($0)\n\n// This name is marked in another file as well.\n\n\($1)" }
      }
  }

  /// The marked code of one file, by name.
  static func snippets(in file: URL) throws -> [String: String] {
    var snippets: [String: String] = [:]
    var rest = try lines(of: file).makeIterator()
    while let line = rest.next() {
      guard let name = line.trimmed.between("// guide: ", "") else { continue }
      var piece: [String] = []
      while let line = rest.next(), line.trimmed != "// end" { piece.append(line) }
      let code = piece.unindented.joined(separator: "\n")
      snippets[name] = snippets[name].map { "\($0)\n\n\(code)" } ?? code
    }
    return snippets
  }

  private static func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }

  fileprivate func between(_ prefix: String, _ suffix: String) -> String? {
    guard hasPrefix(prefix), hasSuffix(suffix) else { return nil }
    return String(dropFirst(prefix.count).dropLast(suffix.count))
  }
}

extension [String] {
  /// The lines without the indentation that they share.
  fileprivate var unindented: [String] {
    let indentation = filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return map { String($0.dropFirst(indentation)) }
  }
}
