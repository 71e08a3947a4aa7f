import Foundation

/// A Markdown page of the project: the README, or a page of the documentation.
struct Page {
  /// The path, relative to the package.
  let path: String
  let blocks: [CodeBlock]
  /// The Swift code that the page shows, with what its hidden comments add.
  let programs: [PageProgram]

  var name: String { String(path.split(separator: "/").last ?? "") }

  /// All pages but those whose blocks the tests of their own modules compare.
  static func all() throws -> [Page] {
    let sources = try FileManager.default.subpathsOfDirectory(
      atPath: Repository.root.appending(path: "Sources").path
    )
    .filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.map { "Sources/\($0)" }
    let elsewhere = ["Lifecycles.md", "GObjectSources.md"]
    return try (["README.md"] + sources.sorted())
      .filter { path in !elsewhere.contains { path.hasSuffix("/\($0)") } }
      .map(Page.init)
  }

  init(_ path: String) throws {
    var parser = PageParser(name: String(path.split(separator: "/").last ?? ""))
    for line in try Repository.lines(of: path) { parser.read(line) }
    self.path = path
    (blocks, programs) = (parser.blocks, parser.programs.filter { !$0.isEmpty })
  }
}

/// A fenced block of code.
struct CodeBlock {
  /// How the code of a block is checked.
  enum Source: Equatable {
    /// It is compiled as a part of the program that the page is.
    case page
    /// It is compiled and run by a test that marks it with this name.
    case guide(String)
    /// It is a part of this file.
    case file(String)
    /// It is not compiled, for this reason.
    case notCompiled(String)
  }

  /// The file and the line.
  let place: String
  let language: String
  let source: Source
  let code: String
}

/// The folder of the package.
enum Repository {
  static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

  static func lines(of path: String) throws -> [String] {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
      .components(separatedBy: "\n")
  }
}
