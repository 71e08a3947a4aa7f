import Foundation
import Testing

@Suite("The code of the pages")
struct GuideTests {
  @Test(
    "Every block of Swift without a mark compiles, as a part of the program of its page",
    .enabled(if: PageCompiler.isAvailable))
  func programs() async throws {
    let programs = try Page.all().flatMap(\.programs)
    try #require(programs.count > 10)
    for error in try await PageCompiler.errors(of: programs) { Issue.record("\(error)") }
  }

  @Test(
    "The program of a page prints what its comments say, in this order, among other lines",
    .enabled(if: PageCompiler.isAvailable))
  func output() async throws {
    let programs = try Page.all().flatMap(\.programs).filter { $0.ends && !$0.output.isEmpty }
    try #require(programs.count > 3)
    let output = try await PageCompiler.output(of: programs)
    try #require(output.count == programs.count)
    for (program, lines) in zip(programs, output) {
      var rest = lines[...]
      for line in program.output {
        let index = rest.firstIndex(of: line)
        #expect(index != nil, "\(program.page): '\(line)' is not printed; there is \(rest)")
        rest = rest[(index.map { $0 + 1 } ?? rest.startIndex)...]
      }
    }
  }

  @Test(
    "A block that does not compile is reported with its page and its line",
    .enabled(if: PageCompiler.isAvailable))
  func wrongBlock() async throws {
    var parser = PageParser(name: "Wrong.md")
    for line in ["```swift", "let number: Int = 1", "", "let text: String = number", "```"] {
      parser.read(line)
    }
    let errors = try await PageCompiler.errors(of: parser.programs)
    #expect(errors.count == 1)
    #expect(errors.first?.contains("Wrong.md:4:") == true)
  }

  @Test("Every block with the name of a guide is code of a test")
  func guides() throws {
    let snippets = try Guide.snippets()
    for block in try Page.all().flatMap(\.blocks) {
      guard case .guide(let name) = block.source else { continue }
      #expect(
        block.code == snippets[name],
        "\(block.place): '\(name)' is not what the tests have between its markers")
    }
  }

  @Test("Every piece of marked code is on a page")
  func snippets() throws {
    let shown = try Page.all().flatMap(\.blocks).compactMap {
      if case .guide(let name) = $0.source { name } else { nil }
    }
    #expect(try Set(Guide.snippets().keys).subtracting(shown) == [])
  }

  @Test("Every block with the path of a file is in that file")
  func files() throws {
    for block in try Page.all().flatMap(\.blocks) {
      guard case .file(let path) = block.source else { continue }
      let lines = try Repository.lines(of: path).map { $0.trimmingCharacters(in: .whitespaces) }
      let code = block.code.components(separatedBy: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(
        lines.joined(separator: "\n").contains(code.joined(separator: "\n")),
        "\(block.place): \(path) has other code")
    }
  }

  @Test("No line of Swift is longer than 100 columns")
  func width() throws {
    for block in try Page.all().flatMap(\.blocks) where block.language == "swift" {
      let longest = block.code.split(separator: "\n").map(\.count).max() ?? 0
      #expect(longest <= 100, "\(block.place)")
    }
  }

  @Test("Every block of the documentation names its language, but for messages")
  func languages() throws {
    for page in try Page.all() where page.path.hasPrefix("Sources/") {
      for block in page.blocks where block.source == .page {
        #expect(!block.language.isEmpty, "\(block.place)")
      }
    }
  }
}
