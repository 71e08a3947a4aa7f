internal import CKeyValueObserving

/// State of a thread that names observers by their addresses: in the layer that notifies, an `OutermostChange`
/// and a `Transaction`.
@usableFromInline
class ObserversByAddress {
  /// Forgets an observer that is gone, whose address another one has been given.
  func forget(_ observer: ObserverIdentity) {}
}

extension UnsafeMutablePointer<kvo_thread_state> {
  /// Forgets a former observer that had the address of one that is registered now: it was suspended, or is passed
  /// over in a transaction.
  func forgetFormerObserver(at observer: ObserverIdentity) {
    forget(observer, in: pointee.outermost_change)
    forget(observer, in: pointee.transaction)
  }

  private func forget(_ observer: ObserverIdentity, in state: UnsafeMutableRawPointer?) {
    guard let state else { return }
    Unmanaged<ObserversByAddress>.fromOpaque(state)._withUnsafeGuaranteedRef { $0.forget(observer) }
  }
}
