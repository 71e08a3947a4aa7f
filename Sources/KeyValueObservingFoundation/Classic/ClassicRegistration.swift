internal import KeyValueObservingCore

/// One call of `addObserver`: the observer, its context, and the token that ends the observation.
final class ClassicRegistration: @unchecked Sendable {  // `state` is guarded by `lock`
  /// The key by which a registration is found.
  ///
  /// No other object has the observer's address while the key exists, because it keeps the
  /// observer's memory, though not the observer.
  struct Key: Hashable {
    let observer: ObjectIdentifier
    let keyPath: String
  }

  let key: Key
  let context: UnsafeMutableRawPointer?
  private let observer: WeakReference
  private let observe: (AnyObject, AnyObject, KeyValueChange<Any?>) -> Void
  private let lock = Lock()
  private var state = State.beginning

  /// The observer may be removed before the engine has handed the token over: by its own first
  /// callback, or by another thread.
  private enum State {
    case beginning
    case observing(KeyValueObservation)
    case ended
  }

  init<Observer: NSKeyValueObserving>(
    of observer: Observer, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    key = Key(observer: ObjectIdentifier(observer), keyPath: keyPath)
    self.context = context
    self.observer = WeakReference(observer)
    // A cast to the protocol would be looked up for each change, and would fail off the actor to
    // which a conformance may be isolated.
    observe = { observer, subject, change in
      unsafeDowncast(observer, to: Observer.self).observeValue(
        forKeyPath: keyPath, of: subject, change: change.dictionary, context: context)
    }
  }

  var isOrphaned: Bool { observer.target == nil }

  /// Notifies the observer of a change.
  ///
  /// Returns false if the observer was deallocated.
  func notify(_ subject: AnyObject, _ change: KeyValueChange<Any?>) -> Bool {
    // The token does not know of an end that came before it.
    if lock.withLock({ if case .ended = state { true } else { false } }) { return true }
    guard let observer = observer.target else { return false }
    observe(observer, subject, change)
    return true
  }

  /// Takes the token, unless the observer was removed in between: the token is then released, which
  /// ends the observation.
  func begin(_ token: KeyValueObservation) {
    lock.withLock { if case .beginning = state { state = .observing(token) } }
  }

  func end() {
    let former = lock.withLock {
      let former = state
      state = .ended
      return former
    }
    if case .observing(let token) = former { token.invalidate() }
  }
}
