/// Writes a program as Swift, to be pasted into a test.
///
/// What it calls besides has to be there: `hears` writes a change down and returns how many there
/// were, `end` ends a token of either kind, `nextNumber` counts on.
enum Printer {
  static func source(of program: Program) -> String {
    var lines = (0..<Program.variableCount).map { "var n\($0): Node? = Node(number: \($0))" }
    lines += program.statements.flatMap { self.lines($0) }
    return lines.joined(separator: "\n")
  }

  private static func lines(_ statement: Statement) -> [String] {
    switch statement {
    case .set(let variable, let key, let operand):
      ["n\(variable)?.\(key) = \(text(operand))"]
    case .edit(let variable, let edit):
      [
        "do {", "  let tags = n\(variable)!.mutableArrayValue(for: \\.tags)", "  \(text(edit))",
        "}",
      ]
    case .scope(let variable, let key, let operands):
      ["n\(variable)?.withMutation(of: \\.\(key)) {"]
        + operands.map { "  n\(variable)?.\(key) = \(text($0))" } + ["}"]
    case .observe(let registration): lines(registration)
    case .end(let observer): ["end(o\(observer))"]
    case .make(let variable): ["n\(variable) = n\(variable) ?? Node(number: nextNumber())"]
    case .drop(let variable): ["n\(variable) = nil"]
    }
  }

  private static func lines(_ registration: Registration) -> [String] {
    let observer = "o\(registration.observer)"
    let path = registration.path.map(\.rawValue)
    let keyPath =
      registration.surface == .string
      ? "\"\(path.joined(separator: "."))\"" : "\\.\(path.joined(separator: "?."))"
    let options = registration.options.sorted().map { ".\($0)" }.joined(separator: ", ")
    let call =
      switch registration.surface {
      case .typed:
        "n\(registration.root)?.observe(\(keyPath), options: [\(options)]) { _, change in"
      case .string:
        "try n\(registration.root)?.observe(\(keyPath), options: [\(options)]) { _, change in"
      case .reasons:
        "n\(registration.root).map { KeyValueObserver(source: $0, keyPath: \(keyPath), "
          + "options: [\(options)]) { change, _ in"
      }
    let end = registration.surface == .reasons ? "} }" : "}"
    let hears = "hears(\"\(observer)\", change)"
    if registration.actions.isEmpty { return ["let \(observer) = \(call) \(hears) \(end)"] }
    let actions = registration.actions.enumerated().flatMap { place, action in
      ["  case \(place + 1):"] + lines(action).map { "    \($0)" }
    }
    return ["let \(observer) = \(call)", "  switch \(hears) {"] + actions
      + ["  default: break", "  }", end]
  }

  private static func text(_ edit: TagsEdit) -> String {
    switch edit {
    case .insert(let element, let place): "tags.insert(\(element), at: \(place) % (tags.count + 1))"
    case .remove(let place): "if !tags.isEmpty { tags.remove(at: \(place) % tags.count) }"
    case .replace(let place, let element):
      "if !tags.isEmpty { tags[\(place) % tags.count] = \(element) }"
    }
  }

  private static func text(_ operand: Operand) -> String {
    switch operand {
    case .number(let number): "\(number)"
    case .list(let list): "\(list)"
    case .node(let variable): variable.map { "n\($0)" } ?? "nil"
    }
  }
}
