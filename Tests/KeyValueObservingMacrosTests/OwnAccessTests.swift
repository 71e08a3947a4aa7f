import Testing

@testable import KeyValueObservingMacros

@Suite struct OwnAccessTests {
  @Test("An observer's access to its own property goes to the storage", arguments: rewritten)
  func rewrites(row: Row) {
    #expect(moved(row.source) == row.expansion)
  }

  @Test("An access that Swift sends through the setter is left alone", arguments: untouched)
  func leavesAlone(source: String) {
    #expect(moved(source) == source)
  }

  @Test("The parameter of an observer hides a property of the same name")
  func parameter() {
    let made = storage(of: "var title = \"\" { willSet(title) { print(title, self.title) } }")
    #expect(made.contains("print(title, self._$title)"))
  }

  @Test("Both observers move with their parameters")
  func parameters() {
    let made = storage(
      of: "var title = \"\" { willSet(next) { title = next } didSet { title = oldValue } }"
    )
    #expect(made.contains("willSet(next)"))
    #expect(made.contains("_$title = next"))
    #expect(made.contains("_$title = oldValue"))
  }

  /// Returns what becomes of the body of a `didSet` of `title`, one statement a line.
  private func moved(_ body: String) -> String {
    let made = storage(of: "var title = \"\" {\n    didSet {\n\(body)\n    }\n  }")
    let lines = made.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }
    let start = lines.firstIndex { $0.hasPrefix("didSet") } ?? lines.startIndex
    return lines[start...].dropFirst().dropLast(2).joined(separator: "\n")
  }

  private func storage(of variable: String) -> String {
    Expansion(of: variable, inClass: "final class Article").storage
  }
}

private let rewritten = [
  Row("With and without self", "title = self.title", becomes: "_$title = self._$title"),
  Row("As part of another expression", "title.append(title)", becomes: "_$title.append(_$title)"),
  Row(
    "In a key path's base only", "_ = title[keyPath: \\.title]",
    becomes: "_ = _$title[keyPath: \\.title]"),
  Row(
    "As the value of a local of the same name", "let title = title",
    becomes: "let title = _$title"),
  Row(
    "Not as the value of the next local of the declaration", "let title = 1, other = title",
    becomes: "let title = 1, other = title"),
  Row(
    "Before the local of the same name", "print(title)\nlet title = 1\nprint(title)",
    becomes: "print(_$title)\nlet title = 1\nprint(title)"),
  Row(
    "Past the scope of the local", "do {\nlet title = 1\nprint(title)\n}\nprint(title)",
    becomes: "do {\nlet title = 1\nprint(title)\n}\nprint(_$title)"),
  Row(
    "By self where a local hides it", "let title = 1\nself.title = title",
    becomes: "let title = 1\nself._$title = title"),
  Row(
    "In if let, in short",
    "if let title, title.isEmpty {\nprint(title)\n}\nelse {\nprint(title)\n}",
    becomes: "if let title = _$title, title.isEmpty {\nprint(title)\n}\nelse {\nprint(_$title)\n}"),
  Row(
    "In guard, up to where it binds",
    "guard let title = title else {\nreturn print(title)\n}\nprint(title)",
    becomes: "guard let title = _$title else {\nreturn print(_$title)\n}\nprint(title)"),
  Row(
    "In the sequence of a loop, not in its body",
    "for title in title where title != \"\" {\nprint(title)\n}",
    becomes: "for title in _$title where title != \"\" {\nprint(title)\n}"),
  Row(
    "In the subject of a switch, not in a case that binds it",
    "switch title {\ncase .some(let title) where title == \"\":\nprint(title)\ndefault:\nprint(title)\n}",
    becomes:
      "switch _$title {\ncase .some(let title) where title == \"\":\nprint(title)\ndefault:\nprint(_$title)\n}"
  ),
  Row("In defer", "defer {\ntitle = \"\"\n}", becomes: "defer {\n_$title = \"\"\n}"),
  Row(
    "In a closure's arguments, not in the closure", "run(title) {\ntitle = \"\"\n}",
    becomes: "run(_$title) {\ntitle = \"\"\n}"),
]

private let untouched = [
  "other.title = \"\"",
  "self.other.title = \"\"",
  "run {\nself.title = \"\"\n}",
  "func reset() {\ntitle = \"\"\n}",
  "var local: String {\ntitle\n}",
  "struct Local {\nlet title = 1\nlet other = title\n}",
  "_ = \\Article.title",
  "use(.title)",
  "do {\n} catch let title {\nprint(title)\n}",
  "do {\n} catch let title where title == \"\" {\n}",
  "title()\nfunc title() {\n}",
  "while let title = next() {\nprint(title)\n}",
]
