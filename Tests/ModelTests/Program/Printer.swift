/// Writes a program as Swift, to be pasted into a test.
///
/// The delivered changes go to a `Story`.
enum Printer {
  static func source(of program: Program) -> String {
    var lines = ["let story = Story()"]
    lines += (0..<Program.variableCount).map { "var n\($0): Node? = story.\(making($0))" }
    lines += program.statements.flatMap { self.lines($0) }
    return lines.joined(separator: "\n")
  }

  private static func making(_ variable: Int) -> String {
    Program.isBranch(variable) ? "makeBranch()" : "makeNode()"
  }

  private static func lines(_ statement: Statement) -> [String] {
    switch statement {
    case .set(let variable, .bonus, let operand):
      ["(n\(variable) as? Branch)?.bonus = \(text(operand))"]
    case .set(let variable, let key, let operand):
      ["n\(variable)?.\(key) = \(text(operand))"]
    case .mutate(let variable, let mutation): [line(mutation, of: "n\(variable)?")]
    case .edit(let variable, let edit, .proxy):
      block("if let tags = n\(variable)?.mutableArrayValue(for: \\.tags) {", lines(edit))
    case .edit(let variable, let edit, let form):
      ["n\(variable)?.edit(.\(edit), by: .\(form))"]
    case .burst(let variable, let key, let numbers):
      ["for number in \(numbers) { n\(variable)?.\(key) = number }"]
    case .scope(let variable, let key, let body):
      block("n\(variable)?.withMutation(of: \\.\(key)) {", body.flatMap { lines($0) })
    case .will(let variable, let key, let byKey):
      ["n\(variable)?.willChangeValue(\(label(key, byKey)))"]
    case .did(let variable, let key, let byKey):
      ["n\(variable)?.didChangeValue(\(label(key, byKey)))"]
    case .observe(let registration): lines(registration)
    case .end(let observer): ["story.end(\(observer))"]
    case .make(let variable): ["n\(variable) = n\(variable) ?? story.\(making(variable))"]
    case .drop(let variable): ["n\(variable) = nil"]
    }
  }

  private static func lines(_ registration: Registration) -> [String] {
    let path = registration.path.map(\.rawValue)
    let keyPath =
      registration.surface == .string
      ? "\"\(path.joined(separator: "."))\"" : "\\.\(path.joined(separator: "?."))"
    let options = registration.options.sorted().map { ".\($0)" }.joined(separator: ", ")
    let observe = "n\(registration.root)?.observe(\(keyPath), options: [\(options)]) { _, change in"
    let receives = callback(of: registration)
    return switch registration.surface {
    case .typed:
      block("story.observe(\(registration.observer)) {", block(observe, receives))
    case .string:
      block("try story.observe(\(registration.observer)) {", block("try " + observe, receives))
    case .reasons:
      block(
        "story.observe(\(registration.observer)) {",
        block(
          "n\(registration.root).map {",
          block(
            "KeyValueObserver(source: $0, keyPath: \(keyPath), options: [\(options)]) { change, _ in",
            receives)))
    }
  }

  private static func callback(of registration: Registration) -> [String] {
    let receives = "story.receives(\(registration.observer), change)"
    let actions =
      registration.actions.enumerated().flatMap { cases($0 + 1, $1) }
      + registration.priorActions.enumerated().flatMap { cases(-$0 - 1, $1) }
    if actions.isEmpty { return [receives] }
    return ["switch \(receives) {"] + actions + ["default: break", "}"]
  }

  private static func cases(_ count: Int, _ action: Statement) -> [String] {
    // A callback cannot throw.
    let lines = lines(action).map { $0.replacing("try story", with: "try! story") }
    return ["case \(count):"] + lines.map { "  " + $0 }
  }

  private static func label(_ key: Key, _ byKey: Bool) -> String {
    byKey ? "forKey: \"\(key)\"" : "for: \\.\(key)"
  }

  private static func line(_ mutation: Mutation, of node: String) -> String {
    switch mutation {
    case .add(let key, let number): "\(node).\(key) += \(number)"
    case .append(let element): "\(node).tags.append(\(element))"
    case .removeAll(let element): "\(node).tags.removeAll { $0 == \(element) }"
    case .failAfterAppending(let element):
      "try? \(node).tags.append(\(element), failing: Refusal())"
    }
  }

  private static func lines(_ edit: TagsEdit) -> [String] {
    switch edit {
    case .insert(let element, let place):
      ["tags.insert(\(element), at: \(place) % (tags.count + 1))"]
    case .remove(let place): ["if !tags.isEmpty { tags.remove(at: \(place) % tags.count) }"]
    case .replace(let place, let element):
      ["if !tags.isEmpty { tags[\(place) % tags.count] = \(element) }"]
    case .append(let elements): ["tags.append(contentsOf: \(elements))"]
    case .removeAll(let element): ["tags.removeAll { $0 == \(element) }"]
    case .sort: ["tags.sort()"]
    }
  }

  private static func block(_ opening: String, _ lines: [String]) -> [String] {
    [opening] + lines.map { "  " + $0 } + ["}"]
  }

  private static func text(_ operand: Operand) -> String {
    switch operand {
    case .number(let number): "\(number)"
    case .list(let list): "\(list)"
    case .node(let variable): variable.map { "n\($0)" } ?? "nil"
    }
  }
}
