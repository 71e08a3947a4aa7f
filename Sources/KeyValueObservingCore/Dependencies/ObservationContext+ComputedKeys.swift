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

  /// Attaches to the observed key.
  ///
  /// Returns the observed key, and what computes it if that is not attached to its inputs yet or lacks an
  /// old value: then it is to be evaluated outside the lock.
  func attach(
    _ registration: Registration, toKey name: KeyName, isManual: Bool,
    computedKey: ((ObservedKey) -> ComputedKey)?
  ) -> (observedKey: ObservedKey, computedKey: ComputedKey?) {
    let observedKey = makeObservedKey(named: name, isManual: isManual)
    // Made outside the lock, in general, and dropped if another thread has come first.
    let made = observedKey.isComputed ? nil : computedKey?(observedKey)
    defer { extendLifetime(made) }
    lock.lock()
    defer { lock.unlock() }
    guard attachLocked(registration, to: observedKey), let computedKey else {
      return (observedKey, nil)
    }
    let existing = observedKey.state.computedKey
    let key = existing ?? made ?? computedKey(observedKey)
    if registration.needs.contains(.old) { key.noteOldRequest() }
    if existing == nil { observedKey.state.madeExtras().computedKey = key }
    return (observedKey, key.isReady && !key.lacksValue ? nil : key)
  }

  /// Whether the getter of a computed key has read a weak property.
  func readsWeakProperty(_ name: KeyName) -> Bool {
    let key = observedKey(named: name)?._withUnsafeGuaranteedRef { observedKey in
      lock.withLock { observedKey.state.computedKey }
    }
    return key?.hasWeakInput.load(ordering: .relaxed) ?? false
  }
}
