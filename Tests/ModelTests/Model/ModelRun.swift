import KeyValueObserving

/// Runs a program as the contract says, with arrays and loops.
///
/// It shares nothing with the library. Statements are in this file, changes and their delivery in
/// `ModelRun+Changes.swift`, deallocations in `ModelRun+Deaths.swift`.
final class ModelRun {
  var history: History = []
  var variables: [ModelNode?] = []
  var nodes: [ModelNode] = []
  /// By number; those that ended are still there.
  var observers: [Int: ModelObserver] = [:]
  var computedKeys: [Place: ComputedKey] = [:]
  /// The followers attached to a property, in that order.
  var attached: [Place: [Follower]] = [:]
  /// The computed keys, and paths to computed keys, that read a property: they come last (P10).
  var dependents: [Place: [Follower]] = [:]
  /// The deliveries under way, the innermost last.
  var deliveries: [ModelDelivery] = []
  var formerLinks: [ModelNode] = []
  var isBurying = false
  var hadDeaths: Set<Int> = []
  /// The first statement after which links lead in a circle, so that paths may meet an object twice.
  private var firstRing = Int.max
  /// All nodes, including deallocated ones.
  private var made: [ModelNode] = []

  /// Returns the delivered changes, the statements with a deallocation, and the first with a ring
  /// of links.
  static func run(_ program: Program) -> (history: History, deaths: Set<Int>, firstRing: Int) {
    let run = ModelRun()
    run.variables = (0..<Program.variableCount).map { _ in run.makeNode() }
    for statement in program.statements + Program.finale {
      run.history.append([])
      run.run(statement)
      run.bury()
    }
    run.unlink()
    return (run.history, run.hadDeaths, run.firstRing)
  }

  /// Breaks the rings that are left, which nothing else would.
  private func unlink() {
    for node in made { (node.next, node.friend) = (nil, nil) }
  }

  private func makeNode() -> ModelNode {
    let node = ModelNode(number: made.count)
    made.append(node)
    nodes.append(node)
    return node
  }

  private func run(_ statement: Statement) {
    switch statement {
    case .set(let variable, let key, let operand):
      if let node = variables[variable] { set(node, key, operand) }
    case .edit(let variable, let edit):
      if let node = variables[variable] { self.edit(node, edit) }
    case .burst(let variable, let key, let numbers):
      for number in numbers {
        if let node = variables[variable] { set(node, key, .number(number)) }
      }
    case .scope(let variable, let key, let operands):
      guard let node = variables[variable] else { return }
      let place = Place(node.number, key)
      change(place, of: node) {
        for operand in operands {
          // Paths go where they lead when it is over: it is one change (P19).
          store(node, key, operand)
        }
      }
    case .observe(let registration): observe(registration)
    case .end(let observer): if let observer = observers[observer] { end(observer) }
    case .make(let variable):
      if variables[variable] == nil { variables[variable] = makeNode() }
    case .drop(let variable): variables[variable] = nil
    }
  }

  private func set(_ node: ModelNode, _ key: Key, _ operand: Operand) {
    change(Place(node.number, key), of: node) { store(node, key, operand) }
  }

  private func store(_ node: ModelNode, _ key: Key, _ operand: Operand) {
    if key == .next, let former = node.next { formerLinks.append(former) }
    node.set(key, to: operand, variables)
    if node.leadsToItself { firstRing = min(firstRing, history.count - 1) }
  }

  private func edit(_ node: ModelNode, _ edit: TagsEdit) {
    var tags = node.tags
    var removed: [Int] = []
    var inserted: [Int] = []
    let kind: KeyValueChangeKind
    let place: Int
    switch edit {
    case .insert(let element, let at):
      place = at % (tags.count + 1)
      inserted = [element]
      kind = .insertion
    case .remove(let at):
      if tags.isEmpty { return }
      place = at % tags.count
      removed = [tags[place]]
      kind = .removal
    case .replace(let at, let element):
      if tags.isEmpty { return }
      place = at % tags.count
      removed = [tags[place]]
      inserted = [element]
      kind = .replacement
    }
    tags.replaceSubrange(place..<(place + removed.count), with: inserted)
    let edit = Edit(kind: kind, place: place, removed: removed, inserted: inserted)
    change(Place(node.number, .tags), of: node, by: edit) { node.tags = tags }
  }

  // MARK: Observing

  private func observe(_ registration: Registration) {
    guard let root = variables[registration.root] else { return }
    let observer = ModelObserver(registration, root: root)
    // Nothing can end it before it is registered.
    defer { observers[registration.observer] = observer }
    attach(observer)
    if observer.isOfComputedKey {
      let place = Place(root.number, observer.key)
      if computedKeys[place] == nil {
        let computed = ComputedKey(observer.key, of: root)
        computedKeys[place] = computed
        attach(computed)
      }
    }
    if observer.wants(.initial) { deliverInitial(to: observer) }
  }

  func end(_ observer: ModelObserver) {
    if observer.hasEnded { return }
    detach(observer)
    let place = Place(observer.root.number, observer.key)
    guard observer.isOfComputedKey, attached[place, default: []].isEmpty,
      let computed = computedKeys.removeValue(forKey: place)
    else { return }
    detach(computed)
  }

  private func detach(_ follower: Follower) {
    follower.hasEnded = true
    attach(follower)
  }

  /// Attaches a follower to what it reads now, and detaches it from what it read before.
  func attach(_ follower: Follower) {
    let wanted = follower.hasEnded ? [] : follower.wanted
    for attachment in follower.attachments where !wanted.contains(attachment) {
      attached[attachment.place]?.removeAll { $0 === follower }
      dependents[attachment.place]?.removeAll { $0 === follower }
    }
    for attachment in wanted where !follower.attachments.contains(attachment) {
      if attachment.role == .input {
        dependents[attachment.place, default: []].append(follower)
      } else {
        attached[attachment.place, default: []].append(follower)
      }
    }
    follower.attachments = wanted
  }

  func write(_ event: Event) { history[history.count - 1].append(event) }

  func act(_ observer: ModelObserver) {
    guard !isBurying, let action = observer.actions.popFirst() else { return }
    run(action)
  }
}

/// The mutation of an array.
struct Edit {
  let kind: KeyValueChangeKind
  let place: Int
  let removed: [Int]
  let inserted: [Int]
}
