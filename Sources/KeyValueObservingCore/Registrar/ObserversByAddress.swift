internal import CKeyValueObserving

/// State of a thread that names observers by their addresses: an `OutermostChange`, in the layer that notifies.
@usableFromInline
class ObserversByAddress {
  /// Forgets an observer that is gone, whose address another one has been given.
  func forget(_ observer: ObserverIdentity) {}
}

extension UnsafeMutablePointer<kvo_thread_state> {
  /// Forgets a former observer that was suspended and had the address of one that is registered now.
  func forgetFormerObserver(at observer: ObserverIdentity) {
    guard let state = pointee.outermost_change else { return }
    Unmanaged<ObserversByAddress>.fromOpaque(state)._withUnsafeGuaranteedRef { $0.forget(observer) }
  }
}
