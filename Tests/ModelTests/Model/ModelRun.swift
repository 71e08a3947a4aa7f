import KeyValueObserving

/// Runs a program as the contract says, with arrays and loops.
///
/// It shares nothing with the library. Statements are in this file, changes and their delivery in
/// `ModelRun+Changes.swift`, deallocations in `ModelRun+Deallocations.swift`.
final class ModelRun {
  var history: History = []
  var variables: [ModelNode?] = []
  var nodes: [ModelNode] = []
  /// By number; those that ended are still there.
  var observers: [Int: ModelObserver] = [:]
  var computedKeys: [Place: ComputedKey] = [:]
  /// The followers attached to a property, in that order.
  var attached: [Place: [Follower]] = [:]
  /// The computed keys that read a property: they come last (P10).
  var dependents: [Place: [Follower]] = [:]
  /// The deliveries under way, the innermost last.
  var deliveries: [ModelDelivery] = []
  /// The properties whose mutation blocks are open.
  var openScopes: [ModelScope] = []
  /// The pairs that are open, for each property the one that was begun last at the end.
  var pairs: [Place: [ModelChange]] = [:]
  var formerLinks: [ModelNode] = []
  /// See `EngineRun`.
  var capturedLinks: [Place: [[ModelNode]]] = [:]
  var isBurying = false
  var hadDeallocations: Set<Int> = []
  /// The first statement after which links lead in a circle, so that paths may meet an object twice.
  private(set) var firstRing = Int.max
  /// The kinds of the statements that have notified observers.
  var notifyingKinds: Set<StepKind> = []
  private var attachmentCount = 0
  /// All nodes, including deallocated ones.
  private var made: [ModelNode] = []

  /// Returns a run with the delivered changes.
  static func run(_ program: Program) -> ModelRun {
    let run = ModelRun()
    run.variables = (0..<Program.variableCount).map { run.makeNode($0) }
    for statement in program.statements + Program.finale {
      run.history.append([])
      run.run(statement)
      run.bury()
    }
    run.unlink()
    return run
  }

  /// Breaks the rings that are left, which nothing else would.
  private func unlink() {
    for node in made { (node.next, node.friend) = (nil, nil) }
  }

  private func makeNode(_ variable: Int) -> ModelNode {
    let node = ModelNode(number: made.count, isBranch: Program.isBranch(variable))
    made.append(node)
    nodes.append(node)
    return node
  }

  func run(_ statement: Statement) {
    let count = history.last?.count
    perform(statement)
    if history.last?.count != count {
      notifyingKinds.formUnion(statement.ownKinds.subtracting([.endInPrior]))
    }
  }

  private func perform(_ statement: Statement) {
    switch statement {
    case .set(let variable, let key, let operand):
      if let node = variables[variable] { set(node, key, operand) }
    case .mutate(let variable, let mutation):
      guard let node = variables[variable] else { return }
      change(Place(node.number, mutation.key), of: node) { node.mutate(by: mutation) }
    case .edit(let variable, let edit, let form):
      if let node = variables[variable] { self.edit(node, edit, by: form) }
    case .burst(let variable, let key, let numbers):
      for number in numbers {
        if let node = variables[variable] { set(node, key, .number(number)) }
      }
    case .scope(let variable, let key, let body):
      guard let node = variables[variable] else { return }
      scope(Place(node.number, key), of: node) { for statement in body { run(statement) } }
    case .will(let variable, let key, _):
      guard let node = variables[variable] else { return }
      let place = Place(node.number, key)
      captureLinks(for: place)
      will(place, of: node)
    case .did(let variable, let key, _):
      guard let node = variables[variable] else { return }
      let place = Place(node.number, key)
      did(place)
      formerLinks += capturedLinks[place]?.popLast() ?? []
    case .observe(let registration): observe(registration)
    case .end(let observer): if let observer = observers[observer] { end(observer) }
    case .make(let variable):
      if variables[variable] == nil { variables[variable] = makeNode(variable) }
    case .drop(let variable): variables[variable] = nil
    }
  }

  private func captureLinks(for place: Place) {
    guard place.key.isLink else { return }
    let links = nodes.flatMap { [$0.next, $0.friend].compactMap(\.self) }
    capturedLinks[place, default: []].append(links)
  }

  private func set(_ node: ModelNode, _ key: Key, _ operand: Operand) {
    if key == .bonus, !node.isBranch { return }
    change(Place(node.number, key), of: node) { store(node, key, operand) }
  }

  private func store(_ node: ModelNode, _ key: Key, _ operand: Operand) {
    if key == .next, let former = node.next { formerLinks.append(former) }
    node.set(key, to: operand, variables)
    if node.leadsToItself { firstRing = min(firstRing, history.count - 1) }
  }

  private func edit(_ node: ModelNode, _ edit: TagsEdit, by form: EditForm) {
    guard let planned = edit.planned(for: node.tags) else { return }
    let place = Place(node.number, .tags)
    switch form {
    case .proxy: change(place, of: node, by: planned) { node.tags = planned.result }
    case .block: scope(place, of: node, by: planned) { node.tags = planned.result }
    case .pair:
      will(place, of: node, by: planned)
      change(place, of: node) { node.tags = planned.result }
      did(place)
    }
  }

  // MARK: Observing

  private func observe(_ registration: Registration) {
    guard let root = variables[registration.root] else { return }
    let observer = ModelObserver(registration, root: root)
    // Nothing can end it before it is registered.
    defer { observers[registration.observer] = observer }
    attach(observer)
    if observer.wants(.initial) { deliverInitial(to: observer) }
  }

  func end(_ observer: ModelObserver) {
    if observer.hasEnded { return }
    detach(observer)
  }

  private func detach(_ follower: Follower) {
    follower.hasEnded = true
    attach(follower)
  }

  /// Attaches a follower to what it reads now, and detaches it from what it read before.
  func attach(_ follower: Follower) {
    let wanted = follower.hasEnded ? [] : follower.wanted
    let isFirst = follower.attachments.isEmpty
    for attachment in follower.attachments where !wanted.contains(attachment) {
      follower.attachmentNumbers[attachment.place] = nil
      attached[attachment.place]?.removeAll { $0 === follower }
      dependents[attachment.place]?.removeAll { $0 === follower }
      endComputedKey(attachment.place)
    }
    for attachment in wanted where !follower.attachments.contains(attachment) {
      attachmentCount += 1
      follower.attachmentNumbers[attachment.place] = attachmentCount
      if attachment.role == .input {
        dependents[attachment.place, default: []].append(follower)
      } else {
        attached[attachment.place, default: []].append(follower)
        compute(attachment.place)
      }
    }
    follower.attachments = wanted
    if !follower.hasEnded { join(follower, isFirst: isFirst) }
  }

  /// Sees that a computed key that is observed is delivered like a property, by a `ComputedKey`.
  private func compute(_ place: Place) {
    let node = made[place.node]
    guard node.isComputed(place.key), computedKeys[place] == nil else { return }
    let computed = ComputedKey(place.key, of: node)
    computedKeys[place] = computed
    attach(computed)
  }

  /// Detaches what computes a key that has no observers, unless one of its changes is still to be
  /// delivered, to a path that may have come back until then (P11).
  func endComputedKey(_ place: Place) {
    guard let computed = computedKeys[place], attached[place, default: []].isEmpty,
      computed.changeCount == 0, !deliveries.contains(where: { $0.place == place }),
      !isInScope(place)
    else { return }
    computedKeys[place] = nil
    detach(computed)
  }

  func write(_ event: Event) { history[history.count - 1].append(event) }

  func act(_ observer: ModelObserver) {
    guard !isBurying, let action = observer.actions.popFirst() else { return }
    run(action)
  }
}
