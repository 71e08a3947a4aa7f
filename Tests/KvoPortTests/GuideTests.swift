import Foundation
import SwiftParser
import SwiftSyntax
import Testing

@testable import KvoPort

/// The code of Cocoa in the migration guide, and its port.
@Suite("The migration guide")
struct GuideTests {
  @Test("The code of Cocoa in the guide has no word of Objective-C after the port")
  func words() throws {
    let blocks = try Section.all().flatMap(\.before)
    #expect(blocks.count > 20)
    for block in blocks
    where SourceFile(SourceText(path: "a.swift", bytes: Array(block.utf8))).parses {
      let program = try Program("import Foundation\n" + block)
      let (text, messages) = try program.ported()
      #expect(!text.contains("#keyPath(") && !text.contains("super.observeValue("), "\(text)")
      #expect(!text.contains(" dynamic ") || !messages.isEmpty, "\(text)")
      let again = try program.ported().text
      #expect(again == text)
    }
  }

  @Test("Ported, the code of Cocoa is that of the library but for the listed differences")
  func differences() throws {
    let sections = try Section.all().filter { !$0.before.isEmpty && $0.after != nil }
    let port = ProgramPort(
      sections.map { SourceText(path: "\($0.title).swift", bytes: Array($0.before[0].utf8)) },
      PortOptions())
    let ported = Dictionary(uniqueKeysWithValues: port.files.map { ($0.path, $0.new) })
    let listed = try Row.all(in: "GuideDifferences.txt")
    #expect(sections.map(\.title) == listed.map(\.title))
    for (section, row) in zip(sections, listed) {
      let text =
        ported["\(section.title).swift"].map { String(decoding: $0, as: UTF8.self) }
        ?? section.before[0]
      let differences = section.differences(from: text)
      #expect(differences == row["differences"], "\(section.title):\n\(differences)")
    }
  }
}

/// A section of the guide.
private struct Section {
  let title: String
  /// The blocks of Swift that the tests do not compile.
  var before: [String] = []
  /// The first block that they compile.
  var after: String?

  static func all() throws -> [Self] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(
        path: "../../Sources/KeyValueObservingCore/KeyValueObservingCore.docc/Migrating/"
          + "MigratingFromCocoa.md")
    let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
    return text.components(separatedBy: "\n### ").dropFirst().map { Self($0) }
  }

  private init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    title = String(lines[0])
    var block: [Substring]?
    var isResult = false
    for line in lines.dropFirst() {
      if line.hasPrefix("<!-- guide:") { isResult = true }
      if line == "```swift" {
        block = []
      } else if line == "```", let lines = block {
        let code = lines.joined(separator: "\n") + "\n"
        if !isResult { before.append(code) } else if after == nil { after = code }
        (block, isResult) = (nil, false)
      } else {
        block?.append(line)
      }
    }
  }

  /// The words that only the port has, behind `-`, and those that only the guide has, behind `+`.
  ///
  /// White space, imports and statements that follow declarations to run them do not count.
  func differences(from ported: String) -> String {
    let (old, new) = (Self.words(ported), Self.words(after ?? ""))
    var (removed, added) = (Set<Int>(), Set<Int>())
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var result = ""
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      let runs = [
        ("-", old[left...].prefix(run(left, removed))),
        ("+", new[right...].prefix(run(right, added))),
      ]
      for (sign, words) in runs where !words.isEmpty {
        result += "\(sign) \(words.joined(separator: " "))\n"
      }
      left += runs[0].1.count + 1
      right += runs[1].1.count + 1
    }
    return result
  }

  /// The number of offsets in a row that are in a set.
  private func run(_ offset: Int, _ offsets: Set<Int>) -> Int {
    (offset...).prefix { offsets.contains($0) }.count
  }

  private static func words(_ text: String) -> [String] {
    let items = Parser.parse(source: text).statements.filter { !$0.item.is(ImportDeclSyntax.self) }
    let isRun = { (item: CodeBlockItemSyntax) in
      !item.item.is(DeclSyntax.self) || item.item.is(VariableDeclSyntax.self)
    }
    let shown = items.first.map(isRun) == true ? items[...] : items.prefix { !isRun($0) }
    return shown.flatMap { $0.tokens(viewMode: .sourceAccurate).map(\.text) }
      .filter { !$0.isEmpty }
  }
}
