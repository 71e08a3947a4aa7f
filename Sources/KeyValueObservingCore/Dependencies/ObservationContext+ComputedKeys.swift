extension ObservedKeyState {
  /// Computes the key, if it is one that depends on others, while it is observed.
  var computedKey: ComputedKey? {
    // `attach` stores no other one, so no cast has to ask (row: set an input, 1 observer).
    extras?.computedKey.map { unsafeDowncast($0, to: ComputedKey.self) }
  }
}

extension ObservationContext {
  /// The observed keys of the object that depend on others.
  ///
  /// - Complexity: O(*n*) in the number of keys ever observed.
  var computedKeys: [ComputedKey] {
    var found: [ComputedKey] = []
    lock.withLock {
      forEachKey { if let key = $0.state.computedKey { found.append(key) } }
    }
    return found
  }
}

extension ObservedKey {
  /// Sees that the key is computed for a registration that was attached to it.
  ///
  /// - `make`: Makes what computes the key; nil if it is none that depends on others.
  ///
  /// Returns what computes the key, if that had to be evaluated.
  @discardableResult
  func compute(
    for registration: Registration, by make: ((ObservedKey) -> ComputedKey)?
  ) -> ComputedKey? {
    // Made outside the lock, in general, and dropped if another thread has come first.
    let made = make == nil || isComputed ? nil : make?(self)
    defer { extendLifetime(made) }
    let computedKey = withLock { () -> ComputedKey? in
      // Another thread may have ended the observation.
      guard registration.index >= 0, let key = state.computedKey ?? made ?? make?(self) else {
        return nil
      }
      if registration.needs.contains(.old) {
        key.asksForOldValues.store(true, ordering: .relaxed)
      }
      state.madeExtras().computedKey = key
      return key
    }
    guard let key = computedKey else { return nil }
    if registration.needs.contains(.prior) { key.requestPriors() }
    let isUnready = !key.isReady || key.lacksValue
    if isUnready { key.evaluate() }
    LateObserversOfComputedKey.noteRegistration(at: key)
    return isUnready ? key : nil
  }
}
