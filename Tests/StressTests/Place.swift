import KeyValueObserving
import TestSupport

/// The places in which the library runs code of a user.
enum Place: CaseIterable {
  case callback, prior, initial, end, getter, pathCallback, closureRelease, closureReleaseInDelivery
  case objectRelease

  /// The trigger of that code, and the end of its preparation.
  struct Prepared: Sendable {
    let trigger: @Sendable () -> Void
    let end: @Sendable () -> Void
  }

  /// Makes `pause` run there the next time that `trigger` is called.
  func prepare(_ node: StressNode, _ child: StressNode, _ pause: Once) -> Prepared {
    switch self {
    case .callback:
      let token = node.observe(\.value, isolation: nil) { _, _ in pause.run() }
      return Prepared(trigger: { node.value = 1 }, end: { token.invalidate() })
    case .prior:
      let token = node.observe(\.value, options: .prior, isolation: nil) { _, change in
        if change.isPrior { pause.run() }
      }
      return Prepared(trigger: { node.value = 1 }, end: { token.invalidate() })
    case .initial:
      return Prepared(
        trigger: {
          node.observe(\.sum, options: .initial, isolation: nil) { _, _ in pause.run() }
            .invalidate()
        }, end: {})
    case .end:
      let dying = Guarded<StressNode?>(StressNode(layer: 0, audit: nil, in: Census()))
      dying.value?.child = node
      let observer = dying.value.map {
        KeyValueObserver(source: $0, keyPath: \.child?.value, options: [], isolation: nil) {
          _, reason in if reason == .sourceDeleted { pause.run() }
        }
      }
      return Prepared(trigger: { dying.exchange(nil) }, end: { observer?.cancel() })
    case .getter:
      let token = node.observe(\.sum, options: [.old, .new], isolation: nil) { _, _ in }
      return Prepared(
        trigger: {
          node.whenSumming.exchange { pause.run() }
          node.value = 1
        }, end: { token.invalidate() })
    case .pathCallback:
      let token = node.observe(\.child?.value, options: [.old, .new], isolation: nil) { _, _ in
        pause.run()
      }
      return Prepared(trigger: { child.value = 1 }, end: { token.invalidate() })
    case .closureRelease:
      let tail = AtEnd(pause)
      let token = node.observe(\.child?.value, isolation: nil) { _, _ in _ = tail }
      return Prepared(trigger: { [token] in token.invalidate() }, end: {})
    case .closureReleaseInDelivery:
      let tail = AtEnd(pause)
      let token = Guarded<KeyValueObservation?>(nil)
      token.exchange(
        node.observe(\.value, isolation: nil) { [weak token] _, _ in
          _ = tail
          token?.exchange(nil)
        })
      return Prepared(trigger: { node.value = 1 }, end: { token.exchange(nil) })
    case .objectRelease:
      let dying = StressNode(layer: 1, audit: nil, in: Census(), whenGone: { pause.run() })
      node.child = dying
      let token = node.observe(\.child?.value, isolation: nil) { _, _ in }
      return Prepared(trigger: { node.child = nil }, end: { token.invalidate() })
    }
  }
}

/// Runs something once, for the first caller.
final class Once: Sendable {
  private let body: Guarded<(@Sendable () -> Void)?>

  init(_ body: @escaping @Sendable () -> Void) { self.body = Guarded(body) }

  func run() { body.exchange(nil)?() }
}

/// Runs something when it is deallocated.
private final class AtEnd: Sendable {
  private let once: Once

  init(_ once: Once) { self.once = once }

  deinit { once.run() }
}
