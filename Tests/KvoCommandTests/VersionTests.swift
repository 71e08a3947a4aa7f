import Foundation
import Testing

@testable import KvoCommand

@Suite struct VersionTests {
  @Test func `The version of the command is the latest one in the changelog`() throws {
    let heading = try #require(changelog().first { $0.hasPrefix("## ") })
    #expect(heading.dropFirst(3).prefix { $0 != " " } == Help.version)
  }

  @Test func `Each item of the changelog begins with a symbol`() throws {
    let items = try changelog().filter { $0.hasPrefix("- ") }
    #expect(!items.isEmpty)
    #expect(items.filter { !$0.hasPrefix("- `") } == [])
  }

  private func changelog() throws -> [String] {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    return text.components(separatedBy: "\n")
  }
}
