import LifecycleObserving

/// The same as a naive world, with lifecycles, observers and observations of the library.
final class RealWorld {
  private let nodes: [LifecycleController]
  private let scroller = Scroller()
  private var observers: [String: Watcher] = [:]
  private var scopes: [Int: LifecycleObservation] = [:]
  private var reactions: [String: LifecycleOperation]
  private(set) var lines: [String] = []

  init(count: Int, reactions: [String: LifecycleOperation]) {
    nodes = (0..<count).map { _ in LifecycleController() }
    self.reactions = reactions
  }

  func perform(_ operation: LifecycleOperation) {
    switch operation {
    case .move(let node, let phase): nodes[node].lifecycle.move(to: phase)
    case .addObserver(let node, let observer):
      nodes[node].addLifecycleObserver(watcher(observer, of: node))
    case .removeObserver(let node, let observer):
      nodes[node].removeLifecycleObserver(watcher(observer, of: node))
    case .addScope(let node, let scope, let span):
      scopes[scope] = scroller.observe(
        \.contentSize, while: span, of: nodes[node], options: [.initial, .old, .new]
      ) { [unowned self] _, change in
        let isInitial = change.oldValue == nil
        lines.append("scope \(scope) \(isInitial ? "initial" : "set") \(change.newValue!)")
      }
    case .endScope(let scope): scopes[scope]?.invalidate()
    case .addChild(let parent, let child): nodes[parent].addChild(nodes[child])
    case .removeChild(let parent, let child): nodes[parent].removeChild(nodes[child])
    case .set(let value): scroller.contentSize = value
    }
  }

  private func watcher(_ number: Int, of node: Int) -> Watcher {
    // One for each owner, as in the naive world, where an observer is notified by all of them.
    if let watcher = observers["\(number) \(node)"] { return watcher }
    let watcher = Watcher { [unowned self] moment in
      lines.append("observer \(number) \(moment)")
      if let reaction = reactions.removeValue(forKey: "\(number) \(moment)") { perform(reaction) }
    }
    observers["\(number) \(node)"] = watcher
    return watcher
  }
}

private final class Watcher: LifecycleObserver {
  private let notify: (Lifecycle.Moment) -> Void

  init(_ notify: @escaping (Lifecycle.Moment) -> Void) {
    self.notify = notify
  }

  func didLoad(_ owner: any LifecycleOwner) { notify(.didLoad) }
  func willAppear(_ owner: any LifecycleOwner) { notify(.willAppear) }
  func didAppear(_ owner: any LifecycleOwner) { notify(.didAppear) }
  func willDisappear(_ owner: any LifecycleOwner) { notify(.willDisappear) }
  func didDisappear(_ owner: any LifecycleOwner) { notify(.didDisappear) }
}
