/// Writes a program as Swift, to be pasted into a test.
///
/// The delivered changes go to a `Story`.
enum Printer {
  static func source(of program: Program) -> String {
    var lines = ["let story = Story()"]
    lines += (0..<Program.variableCount).map { "var n\($0): Node? = story.makeNode()" }
    lines += program.statements.flatMap { self.lines($0) }
    return lines.joined(separator: "\n")
  }

  private static func lines(_ statement: Statement) -> [String] {
    switch statement {
    case .set(let variable, let key, let operand):
      ["n\(variable)?.\(key) = \(text(operand))"]
    case .edit(let variable, let edit):
      block("if let tags = n\(variable)?.mutableArrayValue(for: \\.tags) {", lines(edit))
    case .burst(let variable, let key, let numbers):
      ["for number in \(numbers) { n\(variable)?.\(key) = number }"]
    case .scope(let variable, let key, let operands):
      block(
        "n\(variable)?.withMutation(of: \\.\(key)) {",
        operands.map { "n\(variable)?.\(key) = \(text($0))" })
    case .observe(let registration): lines(registration)
    case .end(let observer): ["story.end(\(observer))"]
    case .make(let variable): ["n\(variable) = n\(variable) ?? story.makeNode()"]
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
    let hears = callback(of: registration)
    return switch registration.surface {
    case .typed:
      block("story.observe(\(registration.observer)) {", block(observe, hears))
    case .string:
      block("try story.observe(\(registration.observer)) {", block("try " + observe, hears))
    case .reasons:
      block(
        "story.observe(\(registration.observer)) {",
        block(
          "n\(registration.root).map {",
          block(
            "KeyValueObserver(source: $0, keyPath: \(keyPath), options: [\(options)]) { change, _ in",
            hears)))
    }
  }

  private static func callback(of registration: Registration) -> [String] {
    let hears = "story.hears(\(registration.observer), change)"
    if registration.actions.isEmpty { return [hears] }
    // A callback cannot throw.
    let actions = registration.actions.enumerated().flatMap { place, action in
      let lines = lines(action).map { $0.replacing("try story", with: "try! story") }
      return ["case \(place + 1):"] + lines.map { "  " + $0 }
    }
    return ["switch \(hears) {"] + actions + ["default: break", "}"]
  }

  private static func lines(_ edit: TagsEdit) -> [String] {
    switch edit {
    case .insert(let element, let place):
      ["tags.insert(\(element), at: \(place) % (tags.count + 1))"]
    case .remove(let place): ["if !tags.isEmpty { tags.remove(at: \(place) % tags.count) }"]
    case .replace(let place, let element):
      ["if !tags.isEmpty { tags[\(place) % tags.count] = \(element) }"]
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
