import Testing

@testable import KvoPort

@Suite("Patterns")
struct PatternTests {
  private static let head = "import Foundation\n"

  @Test(arguments: try Row.all(in: "Patterns.txt"))
  func `A pattern is rewritten, and not again`(row: Row) throws {
    let program = try Program(Self.head + row["before"])
    let arguments = row.options + ["--allow-dirty", program.folder.path]
    _ = PortCommand.run(arguments, Capture(), Capture())
    let text = try program.text()
    #expect(
      text.replacing("import KeyValueObservingFoundation\n", with: "") == Self.head + row["after"])
    _ = PortCommand.run(arguments, Capture(), Capture())
    #expect(try program.text() == text)
  }
}
