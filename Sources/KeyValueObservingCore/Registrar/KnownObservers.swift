internal import CKeyValueObserving

/// State of a thread that names observers by their addresses: in the layer that notifies, an `OutermostChange`
/// and a `Transaction`.
@usableFromInline
class KnownObservers {
  /// Forgets an observer that is gone, whose address another one has been given.
  func forget(_ observer: ObserverIdentity) {}
}

extension UnsafeMutablePointer<kvo_thread_state> {
  /// Lets an observer be called that has the address of one that is gone.
  func endSuspension(of observer: ObserverIdentity) {
    forget(observer, in: pointee.outermost_change)
    forget(observer, in: pointee.transaction)
  }

  private func forget(_ observer: ObserverIdentity, in state: UnsafeMutableRawPointer?) {
    guard let state else { return }
    Unmanaged<KnownObservers>.fromOpaque(state)._withUnsafeGuaranteedRef { $0.forget(observer) }
  }
}
