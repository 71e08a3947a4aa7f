import KeyValueObserving
import Synchronization
import TestSupport

/// An observation of what is shared, from its registration to its end.
final class Watch: Sendable {
  enum Ending: CaseIterable { case invalidate, drop }

  let route: Route
  let listener: Listener
  let receivesPriors: Bool
  private let subject: GuardedWeak<StressNode>
  private let token = Guarded<Token?>(nil)
  private let endHasBegun = Atomic<Bool>(false)
  private let life: Life

  init(
    _ route: Route, from root: StressNode, _ options: KeyValueObservation.Options,
    receivesReasons: Bool, in world: World
  ) {
    self.route = route
    subject = GuardedWeak(root)
    listener = Listener(in: world, receivesReasons: receivesReasons)
    receivesPriors = options.contains(.prior)
    life = world.census.birth(of: .watch)
    world.watches.withLock { $0.append(self) }
  }

  func register(on root: StressNode, _ options: KeyValueObservation.Options) {
    token.exchange(route.register(listener, on: root, options))
  }

  var root: StressNode? { subject.value }

  /// Whether it has not been ended.
  var isActive: Bool { !endHasBegun.load(ordering: .acquiring) }

  /// Ends it, on whatever thread, also if another one is about to.
  ///
  /// A watch that is still being registered goes on.
  func end(by ending: Ending) {
    switch ending {
    case .invalidate:
      guard let token = token.value else { return }
      endHasBegun.store(true, ordering: .releasing)
      token.end()
      listener.endReturned()
    case .drop:
      guard token.value != nil else { return }
      endHasBegun.store(true, ordering: .releasing)
      var dropped = token.exchange(nil)
      // Another thread may keep it for a moment to end it: then that is where it ends.
      let isLast = dropped.isKnownUniquelyReferenced()
      dropped = nil
      if isLast { listener.endReturned() }
    }
  }
}

extension Token? {
  fileprivate mutating func isKnownUniquelyReferenced() -> Bool {
    switch self {
    case .observation(var observation):
      self = nil
      defer { self = .observation(observation) }
      return Swift.isKnownUniquelyReferenced(&observation)
    case .observer(var observer):
      self = nil
      defer { self = .observer(observer) }
      return Swift.isKnownUniquelyReferenced(&observer)
    case nil: return false
    }
  }
}
