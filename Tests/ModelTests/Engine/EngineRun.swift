import KeyValueObserving

@testable import KeyValueObservingCore

private struct Reference {
  weak var node: Node?
}

/// Runs a program with the library.
final class EngineRun {
  private var history: History = []
  private var variables: [Node?] = []
  private var tokens: [Int: Token] = [:]
  /// How many actions each callback has run.
  private var actionCounts: [Int: Int] = [:]
  /// Former links are retained until the statement is over, whether a snapshot has them or not.
  private var formerLinks: [Node] = []
  private var isBurying = false
  private var made: [Reference] = []
  private let census = Census()

  /// Returns the delivered changes, and how many nodes were left behind.
  static func run(_ program: Program) -> (history: History, leaked: Int) {
    let run = EngineRun()
    run.run(program)
    return (run.history, run.census.alive)
  }

  private func run(_ program: Program) {
    variables = (0..<Program.variableCount).map { _ in makeNode() }
    for statement in program.statements + Program.finale {
      history.append([])
      run(statement)
      bury()
      for node in variables { node?.observationContext.checkInvariants() }
    }
    tokens = [:]
    variables = []
    // Rings of links keep each other.
    for reference in made { reference.node?.next = nil }
  }

  private func makeNode() -> Node {
    let node = Node(number: made.count, census: census)
    made.append(Reference(node: node))
    return node
  }

  /// Releases the objects that the statement took out of links.
  ///
  /// They are deallocated one by one.
  private func bury() {
    isBurying = true
    while !formerLinks.isEmpty { formerLinks.removeFirst() }
    isBurying = false
  }

  private func run(_ statement: Statement) {
    switch statement {
    case .set(let variable, let key, let operand): set(variables[variable], key, operand)
    case .edit(let variable, let edit): variables[variable]?.edit(edit)
    case .burst(let variable, let key, let numbers):
      for number in numbers { set(variables[variable], key, .number(number)) }
    case .scope(let variable, let key, let operands):
      guard let node = variables[variable] else { return }
      node.withScope(of: key) { for operand in operands { set(node, key, operand) } }
    case .observe(let registration): observe(registration)
    case .end(let observer): tokens.removeValue(forKey: observer)?.end()
    case .make(let variable):
      guard variables[variable] == nil else { return }
      variables[variable] = makeNode()
    case .drop(let variable):
      isBurying = true
      variables[variable] = nil
      isBurying = false
    }
  }

  private func set(_ node: Node?, _ key: Key, _ operand: Operand) {
    guard let node else { return }
    switch operand {
    case .number(let number): if key == .x { node.x = number } else { node.y = number }
    case .list(let list): node.tags = list
    case .node(let variable):
      let target = variable.flatMap { variables[$0] }
      if key == .friend { return node.friend = target }
      if let former = node.next { formerLinks.append(former) }
      node.next = target
    }
  }

  // MARK: Observing

  private func observe(_ registration: Registration) {
    guard let node = variables[registration.root] else { return }
    tokens[registration.observer] = node.token(for: registration) { [unowned self] event in
      history[history.count - 1].append(event)
      act(registration, event)
    }
  }

  private func act(_ registration: Registration, _ event: Event) {
    let observer = registration.observer
    guard !event.isPrior, !isBurying else { return }
    let count = actionCounts[observer, default: 0]
    guard count < registration.actions.count else { return }
    actionCounts[observer] = count + 1
    run(registration.actions[count])
  }
}
