import Testing

@Suite("The porting guide and these tests")
struct GuideTests {
  @Test("Every block of the guide but what stood before is code of these tests")
  func blocks() throws {
    let snippets = try Guide.snippets()
    for block in try Guide.blocks() where !block.isBefore {
      guard let name = block.name else {
        Issue.record(
          """
          \(block.place): this block is not compiled. Label it <!-- guide: name --> and \
          mark the same code in a test, or introduce it with 'Before'.
          """)
        continue
      }
      #expect(
        block.code == snippets[name],
        "\(block.place): '\(name)' is not what the tests have between its markers")
    }
  }

  @Test("Every piece of marked code is shown by the guide, once")
  func snippets() throws {
    let shown = try Guide.blocks().compactMap(\.name).sorted()
    #expect(try shown == Guide.snippets().keys.sorted())
  }

  @Test("No line of the guide's code is longer than 90 columns")
  func width() throws {
    for block in try Guide.blocks() {
      let longest = block.code.split(separator: "\n").map(\.count).max() ?? 0
      #expect(longest <= 90, "\(block.place)")
    }
  }
}
