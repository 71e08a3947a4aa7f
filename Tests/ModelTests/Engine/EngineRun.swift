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
  /// How many actions each callback has run, for changes and for prior notifications.
  private var actionCounts: [Int: (after: Int, prior: Int)] = [:]
  /// Former links are retained until the statement is over, whether a snapshot has them or not.
  private var formerLinks: [Node] = []
  /// The objects that links led to when a pair of a link was begun, retained until the pair is
  /// completed, whether the pair has them as old values or not.
  private var capturedLinks: [Place: [[Node]]] = [:]
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
    variables = (0..<Program.variableCount).map { makeNode($0) }
    for statement in program.statements + Program.finale {
      history.append([])
      run(statement)
      bury()
      for node in variables { node?.observationContext.checkInvariants() }
    }
    tokens = [:]
    variables = []
    capturedLinks = [:]
    // Rings of links keep each other.
    for reference in made { reference.node?.next = nil }
  }

  private func makeNode(_ variable: Int) -> Node {
    let node: Node =
      Program.isBranch(variable)
      ? Branch(number: made.count, census: census) : Node(number: made.count, census: census)
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
    case .mutate(let variable, let mutation): variables[variable]?.mutate(mutation)
    case .edit(let variable, let edit, let form): variables[variable]?.edit(edit, by: form)
    case .burst(let variable, let key, let numbers):
      for number in numbers { set(variables[variable], key, .number(number)) }
    case .scope(let variable, let key, let body):
      guard let node = variables[variable] else { return }
      node.withScope(of: key) { for statement in body { run(statement) } }
    case .will(let variable, let key, let byKey):
      guard let node = variables[variable] else { return }
      captureLinks(for: Place(node.number, key))
      node.willChange(key, byKey: byKey)
    case .did(let variable, let key, let byKey):
      guard let node = variables[variable] else { return }
      node.didChange(key, byKey: byKey)
      formerLinks += capturedLinks[Place(node.number, key)]?.popLast() ?? []
    case .observe(let registration): observe(registration)
    case .end(let observer): tokens.removeValue(forKey: observer)?.end()
    case .make(let variable):
      guard variables[variable] == nil else { return }
      variables[variable] = makeNode(variable)
    case .drop(let variable):
      isBurying = true
      variables[variable] = nil
      isBurying = false
    }
  }

  private func captureLinks(for place: Place) {
    guard place.key.isLink else { return }
    let links = made.compactMap(\.node).flatMap { [$0.next, $0.friend].compactMap(\.self) }
    capturedLinks[place, default: []].append(links)
  }

  private func set(_ node: Node?, _ key: Key, _ operand: Operand) {
    guard let node else { return }
    switch operand {
    case .number(let number):
      switch key {
      case .x: node.x = number
      case .bonus: (node as? Branch)?.bonus = number
      default: node.y = number
      }
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
    guard !isBurying else { return }
    let observer = registration.observer
    let counts = actionCounts[observer, default: (0, 0)]
    let (count, actions) =
      event.isPrior
      ? (counts.prior, registration.priorActions) : (counts.after, registration.actions)
    guard count < actions.count else { return }
    if event.isPrior {
      actionCounts[observer] = (counts.after, count + 1)
    } else {
      actionCounts[observer] = (count + 1, counts.prior)
    }
    run(actions[count])
  }
}
