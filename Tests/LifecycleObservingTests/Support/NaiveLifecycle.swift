import LifecycleObserving

/// The operations of a test on lifecycles, real or naive ones.
enum LifecycleOperation {
  case move(Int, Lifecycle.Phase)
  case addObserver(Int, Int)
  case removeObserver(Int, Int)
  case addScope(Int, Int, Lifecycle.Span)
  case endScope(Int)
  case addChild(Int, Int)
  case removeChild(Int, Int)
  case set(Int)
}

/// A lifecycle as the contract describes it, in a table and loops.
final class NaiveLifecycle {
  var phase = Lifecycle.Phase.created
  var history: [Lifecycle.Moment] = []
  var observers: [Int] = []
  var scopes: [Int] = []
  var children: [Int] = []
  var parent: Int?
  var waiting: [Lifecycle.Phase] = []
  var isBusy = false
}

/// Several naive lifecycles, what observes them, and one observed number.
final class NaiveWorld {
  private var nodes: [NaiveLifecycle]
  private var spans: [Int: Lifecycle.Span] = [:]
  private var owners: [Int: Int] = [:]
  private var attached: [Int] = []
  private var value = 0
  private var reactions: [String: LifecycleOperation]
  private(set) var lines: [String] = []

  init(count: Int, reactions: [String: LifecycleOperation]) {
    nodes = (0..<count).map { _ in NaiveLifecycle() }
    self.reactions = reactions
  }

  /// The phases on each way, by their first letters.
  private static let ways: [Lifecycle.Phase: [Lifecycle.Phase: String]] = [
    .created: [
      .loaded: "l", .appearing: "la", .visible: "lav", .disappearing: "lavd", .ended: "e",
    ],
    .loaded: [.appearing: "a", .visible: "av", .disappearing: "avd", .ended: "e"],
    .appearing: [.loaded: "dl", .visible: "v", .disappearing: "d", .ended: "dle"],
    .visible: [.loaded: "dl", .appearing: "da", .disappearing: "d", .ended: "dle"],
    .disappearing: [.loaded: "l", .appearing: "a", .visible: "av", .ended: "le"],
  ]

  func perform(_ operation: LifecycleOperation) {
    switch operation {
    case .move(let node, let phase): move(nodes[node], to: phase)
    case .addObserver(let node, let observer): add(observer, to: nodes[node])
    case .removeObserver(let node, let observer):
      nodes[node].observers.removeAll { $0 == observer }
    case .addScope(let node, let scope, let span):
      let node = (index: node, state: nodes[node])
      if node.state.phase == .ended { return }
      node.state.scopes.append(scope)
      (spans[scope], owners[scope]) = (span, node.index)
      if span.contains(node.state.phase) { busy(node.state) { self.begin(scope) } }
    case .endScope(let scope): end(scope)
    case .addChild(let parent, let child): add(child, toParent: parent)
    case .removeChild(let parent, let child):
      if nodes[child].parent == parent { detach(child) }
    case .set(let value):
      self.value = value
      for scope in attached { lines.append("scope \(scope) set \(value)") }
    }
  }

  private func busy(_ node: NaiveLifecycle, _ body: () -> Void) {
    if node.isBusy { return body() }
    node.isBusy = true
    body()
    while let phase = node.waiting.first {
      node.waiting.removeFirst()
      walk(node, to: phase)
    }
    node.isBusy = false
  }

  private func move(_ node: NaiveLifecycle, to phase: Lifecycle.Phase) {
    node.waiting.append(phase)
    busy(node) {}
  }

  private func walk(_ node: NaiveLifecycle, to target: Lifecycle.Phase) {
    for letter in Self.ways[node.phase]?[target] ?? "" {
      let next = Lifecycle.Phase.allCases.first { "\($0)".first == letter }!
      let moment: Lifecycle.Moment? =
        switch (node.phase, next) {
        case (.created, .loaded): .didLoad
        case (_, .loaded): .didDisappear
        case (_, .appearing): .willAppear
        case (_, .visible): .didAppear
        case (_, .disappearing): .willDisappear
        default: nil
        }
      node.phase = next
      if next == .loaded {
        node.history = [.didLoad]
      } else if let moment {
        node.history.append(moment)
      }
      if moment == .willAppear { node.history = [.didLoad, .willAppear] }
      for scope in node.scopes where spans[scope]!.contains(next) { begin(scope) }
      if let moment {
        for observer in node.observers where node.observers.contains(observer) {
          notify(observer, of: moment)
        }
      }
      let index = nodes.firstIndex { $0 === node }
      for child in node.children where nodes[child].parent == index {
        if nodes[child].phase != .ended { move(nodes[child], to: next) }
      }
      for scope in node.scopes where !spans[scope]!.contains(next) {
        attached.removeAll { $0 == scope }
      }
      if next == .ended {
        node.scopes.forEach(end)
        node.children.forEach { nodes[$0].parent = nil }
        (node.observers, node.children, node.history) = ([], [], [])
      }
    }
  }

  private func begin(_ scope: Int) {
    guard nodes[owners[scope]!].scopes.contains(scope), !attached.contains(scope) else { return }
    attached.append(scope)
    lines.append("scope \(scope) initial \(value)")
  }

  private func end(_ scope: Int) {
    attached.removeAll { $0 == scope }
    guard let owner = owners[scope] else { return }
    nodes[owner].scopes.removeAll { $0 == scope }
  }

  private func add(_ observer: Int, to node: NaiveLifecycle) {
    if node.phase == .ended || node.observers.contains(observer) { return }
    node.observers.append(observer)
    busy(node) {
      for moment in node.history where node.observers.contains(observer) {
        notify(observer, of: moment)
      }
    }
  }

  private func notify(_ observer: Int, of moment: Lifecycle.Moment) {
    lines.append("observer \(observer) \(moment)")
    if let reaction = reactions.removeValue(forKey: "\(observer) \(moment)") { perform(reaction) }
  }

  private func add(_ child: Int, toParent parent: Int) {
    let (above, below) = (nodes[parent], nodes[child])
    if below.parent == parent || above.phase == .ended || below.phase == .ended { return }
    var ancestor: Int? = parent
    while let found = ancestor {
      if found == child { return }
      ancestor = nodes[found].parent
    }
    if let former = below.parent { nodes[former].children.removeAll { $0 == child } }
    below.parent = parent
    above.children.append(child)
    busy(above) {
      if above.phase != .created {
        move(below, to: above.phase)
      } else if below.phase != .created, below.phase != .loaded {
        move(below, to: .loaded)
      }
    }
  }

  private func detach(_ child: Int) {
    let node = nodes[child]
    nodes[node.parent!].children.removeAll { $0 == child }
    node.parent = nil
    if [.appearing, .visible, .disappearing].contains(node.phase) { move(node, to: .loaded) }
  }
}
