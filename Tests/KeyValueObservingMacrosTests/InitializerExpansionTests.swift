import Testing

@testable import KeyValueObservingMacros

@Suite struct InitializerExpansionTests {
  @Test("A read before the object is complete goes to the storage", arguments: rewritten)
  func rewrites(row: Row) {
    #expect(made(of: row.source) == body(of: row.expansion))
  }

  @Test("An initializer that reads nothing before that is left as it is", arguments: untouched)
  func leavesAlone(source: String) {
    #expect(made(of: source) == body(of: source))
  }

  @Test("An initializer that is not isolated as its class uses the storage throughout")
  func rewritesNonisolated() {
    let source = "init(n: Int) { count = n; size = n; title = \"a\"; save(title) }"
    #expect(
      made(of: "nonisolated " + source, actor: "@MainActor ")
        == body(of: "init(n: Int) { _$count = n; _$size = n; _$title = \"a\"; save(_$title) }"))
    #expect(made(of: source, actor: "@MainActor ") == body(of: source))
    #expect(made(of: "nonisolated " + source) == body(of: source))
  }

  /// Returns what becomes of the body of an initializer, a statement a line, in a class with a variable
  /// that has a value and two that have none.
  private func made(of initializer: String, actor: String = "") -> String {
    let variables =
      "var title = \"\"\n  var count: Int, size: Int\n  let id: Int\n  var draft: Int?\n  "
    let text = Expansion(
      of: "\(actor)@KeyValueObservable class Article: Page {\n  \(variables)\(initializer)\n}",
      [KeyValueObservableMacro.self, KeyValueInitializerMacro.self]
    ).text
    let start = text.firstRange(of: ") {")?.upperBound ?? text.startIndex
    var depth = 1
    let end = text[start...].firstIndex { character in
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      return depth == 0
    }
    return lines(text[start..<(end ?? text.endIndex)])
  }

  private func body(of initializer: String) -> String {
    let start = initializer.firstRange(of: ") {")?.upperBound ?? initializer.startIndex
    return lines(initializer[start...].dropLast())
  }

  /// The statements, without the white space and semicolons between them.
  private func lines(_ body: Substring) -> String {
    body.split { $0 == ";" || $0 == "\n" }.map { String($0).trimmed }.filter { !$0.isEmpty }
      .joined(separator: "; ")
  }
}

private let rewritten = [
  Row(
    "Up to the call of super.init, assignments as well",
    "init(n: Int) { count = n; id = count; super.init(id: count); count += 1 }",
    becomes: "init(n: Int) { _$count = n; id = _$count; super.init(id: _$count); count += 1 }"
  ),
  Row(
    "Up to the last property that is stored, where the superclass is not called",
    "init(n: Int) { self.count = n; id = self.count; size = 1; count += 1 }",
    becomes: "init(n: Int) { self._$count = n; id = self._$count; _$size = 1; count += 1 }"
  ),
  Row(
    "A property that has a value is stored once more when the object is complete",
    "init(n: Int) { count = n; size = count; id = n; size = 2; draft = nil; count = size }",
    becomes: "init(n: Int) { _$count = n; _$size = _$count; id = n; size = 2; draft = nil; "
      + "count = size }"
  ),
  Row(
    "A statement that completes the object in a block is not rewritten",
    "init(n: Int) { count = n; size = count; do { id = n; size += 1 }; count += 1 }",
    becomes: "init(n: Int) { _$count = n; _$size = _$count; do { id = n; size += 1 }; count += 1 }"
  ),
  Row(
    "Each block that completes the object is rewritten up to that, and so is a condition before it",
    "init(n: Int) { count = n; id = n; if count > 0 { size = count; size += 1 } else { size = 0 }; "
      + "size += 1 }",
    becomes: "init(n: Int) { _$count = n; id = n; if _$count > 0 { _$size = _$count; size += 1 } "
      + "else { _$size = 0 }; size += 1 }"
  ),
  Row(
    "A block that leaves the initializer does not complete what follows",
    "init(n: Int) { count = n; id = n; guard count > 0 else { size = 0; return }; size = count }",
    becomes: "init(n: Int) { _$count = n; id = n; guard _$count > 0 else { _$size = 0; return }; "
      + "_$size = _$count }"
  ),
  Row(
    "A block that calls super.init is rewritten up to that",
    "init(n: Int) { count = n; do { size = count; super.init(id: size); size += 1 }; size += 1 }",
    becomes: "init(n: Int) { _$count = n; do { _$size = _$count; super.init(id: _$size); "
      + "size += 1 }; size += 1 }"
  ),
  Row(
    "A block in which a property is missing still is rewritten",
    "init(n: Int) { count = n; if n > 0 { size = count } else { size = 0 }; id = size; size += 1 }",
    becomes: "init(n: Int) { _$count = n; if n > 0 { _$size = _$count } else { _$size = 0 }; "
      + "id = _$size; size += 1 }"
  ),
  Row(
    "A mutation in place is a read",
    "init(n: Int) { title.append(\"a\"); super.init() }",
    becomes: "init(n: Int) { _$title.append(\"a\"); super.init() }"
  ),
  Row(
    "A parameter or a local of the name is not the property",
    "init(count: Int) { self.count = count; let size = self.count; print(size); super.init() }",
    becomes: "init(count: Int) { self._$count = count; let size = self._$count; print(size); "
      + "super.init() }"
  ),
]

private let untouched = [
  "init(n: Int) { count = n; size = n; do { id = n; title.append(size) } }",
  "init(n: Int) { id = n; size = n; if n > 0 { count = n; size += 1 } else { count = 0 }; size = id }",
  "init(n: Int) { title = \"a\"; do { super.init(id: n); size = count } }",
  "init(n: Int) { count = n; size = count; id = n; super.init(); run { [weak self] in self?.stop() } }",
  "init(n: Int) { count = n; size = n; id = n; super.init(); size = count }",
  "init(n: Int) { (count, size) = (n, n); id = n; print(count) }",
  "init(count: Int) { self.count = count; id = count; super.init() }",
  "init(n: Int) { let count = n; id = count; super.init() }",
  "init(n: Int, page: Article) { id = page.count; super.init() }",
  "init(n: Int) { title = \"a\"; super.init(); title += \"b\" }",
]
