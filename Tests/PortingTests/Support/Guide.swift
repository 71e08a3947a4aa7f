import Foundation

/// The code of tests that pages show.
///
/// A file of tests marks the code:
///
///     // guide: tokens
///     let observation = player.observe(\.rate) { … }
///     // end
///
/// A page labels the block that shows it with `<!-- guide: tokens -->`. If a name is marked more than
/// once, the block shows one piece after the other, with an empty line between.
enum Guide {
  private static let tests = Repository.root.appending(path: "Tests")

  /// The folders with marked code.
  ///
  /// That of streams is compiled with the tests of its library.
  private static let folders = [
    "PortingTests", "KeyValueObservingRxSwiftTests", "KeyValueObservingOpenCombineTests",
  ].map { tests.appending(path: $0) }

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
    var rest = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
      .makeIterator()
    while let line = rest.next() {
      guard let name = line.trimmed.between("// guide: ", "") else { continue }
      var piece: [String] = []
      while let line = rest.next(), line.trimmed != "// end" { piece.append(line) }
      let code = piece.unindented.joined(separator: "\n")
      snippets[name] = snippets[name].map { "\($0)\n\n\(code)" } ?? code
    }
    return snippets
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

extension [String] {
  /// The lines without the indentation that they share.
  fileprivate var unindented: [String] {
    let indentation = filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return map { String($0.dropFirst(indentation)) }
  }
}
