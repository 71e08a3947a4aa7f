/// The Swift code of a page as one file: declarations, and a function with all statements.
///
/// Each block begins a scope of its own inside of that of the block before, so it may declare variables
/// anew. Declarations are `fileprivate`, since all pages are compiled together.
struct PageProgram {
  let page: String
  private var imports: Set<String> = ["import KeyValueObserving"]
  private var declarations: [String] = []
  private var statements: [String] = []
  private var depth = 0
  /// The lines that comments of the code say are printed.
  private(set) var output: [String] = []

  init(page: String) { self.page = page }

  var isEmpty: Bool { declarations.isEmpty && statements.isEmpty }

  /// Whether the program ends by itself, which a loop over the values of a property does not.
  var ends: Bool { !statements.contains { $0.hasPrefix("for await") } }

  /// The source of the program: a type whose function `run()` executes the statements.
  ///
  /// - Parameter number: The number in the name of the type.
  /// - Returns: The source.
  func text(number: Int) -> String {
    let beginning = ["enum Program\(number) {", "@MainActor static func run() async throws {"]
    let end = Array(repeating: "}", count: depth + 2)
    return (imports.sorted() + declarations + beginning + statements + end)
      .joined(separator: "\n") + "\n"
  }

  /// Adds the code of a block.
  ///
  /// - Parameters:
  ///   - lines: The lines of the block.
  ///   - first: The line of the page on which the code begins.
  mutating func add(_ lines: [String], from first: Int) {
    statements.append("do {")
    depth += 1
    output += lines.compactMap { line in
      line.range(of: "// prints ").map { String(line[$0.upperBound...]) }
    }
    for item in items(of: lines, from: first) {
      let place = "#sourceLocation(file: \"\(page)\", line: \(item.line))"
      switch item.kind {
      case .import: imports.formUnion(item.lines)
      case .declaration: declarations += [place] + item.lines + ["#sourceLocation()"]
      case .statement: statements += [place] + item.lines + ["#sourceLocation()"]
      }
    }
  }

  private struct Item {
    enum Kind { case `import`, declaration, statement }
    let line: Int
    var kind = Kind.statement
    var lines: [String] = []
    /// Whether only attributes and comments have been read.
    var isBeginning = true
  }

  /// The declarations and statements, each of which begins in the first column.
  private func items(of lines: [String], from first: Int) -> [Item] {
    var items: [Item] = []
    for (offset, line) in lines.enumerated() {
      let goesOn = line.isEmpty || " })].".contains(line.first ?? " ") || line.hasPrefix("#e")
      if items.isEmpty || !goesOn && items.last?.isBeginning == false {
        items.append(Item(line: first + offset))
      }
      append(line, goesOn: goesOn, to: &items[items.count - 1])
    }
    return items
  }

  private func append(_ line: String, goesOn: Bool, to item: inout Item) {
    var line = line
    if item.isBeginning, !goesOn, !line.hasPrefix("//") {
      let attributes = line.prefixMatch(of: /(?:@\w+(?:\([^)]*\))?\s*)*/)?.range
      let declaration = line[(attributes?.upperBound ?? line.startIndex)...]
      if !declaration.isEmpty {
        item.isBeginning = false
        item.kind = kind(of: declaration)
        if item.kind == .declaration, !isPublicConformance(declaration) {
          line.insert(contentsOf: "fileprivate ", at: declaration.startIndex)
        }
      }
    }
    item.lines.append(line)
  }

  private func kind(of line: Substring) -> Item.Kind {
    let words = line.split(separator: " ")
    if words.first == "import" { return .import }
    let modifiers: Set = ["final", "nonisolated", "indirect", "isolated"]
    let keywords: Set = [
      "class", "struct", "enum", "protocol", "actor", "func", "extension", "typealias",
    ]
    let word = words.first { !modifiers.contains(String($0)) }
    return keywords.contains(String(word ?? "")) ? .declaration : .statement
  }

  /// An extension that adds a conformance takes no modifier.
  private func isPublicConformance(_ line: Substring) -> Bool {
    line.hasPrefix("extension") && line.contains(": ")
  }
}
