internal import CKeyValueObserving

/// The state of a thread that ends with its outermost change, or with the delivery of a transaction.
///
/// Few changes need it, so it is made when something does.
final class OutermostChange {
  let suspended = SuspendedObservers()
  /// The observers that deliveries pass over, since all changes were made in their names (P57); the innermost last.
  var exclusions: [(delivery: UnsafeMutablePointer<Delivery>, observers: Set<ObserverIdentity>)] =
    []
  /// The histories that paused when the changes with some numbers began, if that may be others than pause now; the
  /// innermost last.
  var beginnings: [(number: UInt64, pausedHistories: PausedHistories?)] = []
  private var conclusions: [() -> Void] = []

  /// Keeps a closure to be called at the end.
  func append(_ conclusion: @escaping () -> Void) { conclusions.append(conclusion) }

  /// Calls what was kept, when the thread has forgotten the state.
  func end() {
    for conclude in conclusions { conclude() }
  }
}

extension UnsafeMutablePointer<kvo_thread_state> {
  var outermostChange: OutermostChange? {
    pointee.outermost_change.map {
      Unmanaged<OutermostChange>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Forgets a former observer that was suspended and had the address of one that is registered now.
  func forgetFormerObserver(at observer: ObserverIdentity) {
    outermostChange?.suspended.remove(observer)
  }
}
