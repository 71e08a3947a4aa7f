internal import Synchronization

extension ObservationContext {
  // Calls other functions only at its end, so it has no registers to save (row: set, 1 observer).
  /// Takes a snapshot of the observers of a change of a key, creates its delivery and, unless prior
  /// notifications come first, captures what dependents need.
  ///
  /// Returns false, and creates none, if there are no observers.
  @usableFromInline
  func beginAndCapture(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject, _ name: KeyName
  ) -> Bool {
    guard let observedKey = identicalKey(named: name) else {
      return beginAndCapture(delivery, of: subject, copied: name)
    }
    return beginAndCapture(delivery, of: subject, at: observedKey)
  }

  /// The same for a name whose text is mostly not that of the observed key in memory.
  @inline(never)
  func beginAndCapture(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject, copied name: KeyName
  ) -> Bool {
    guard mayHaveKey(named: name), let observedKey = equalKey(named: name) else { return false }
    return beginAndCapture(delivery, of: subject, at: observedKey)
  }

  @inline(__always)
  private func beginAndCapture(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject,
    at observedKey: Unmanaged<ObservedKey>
  ) -> Bool {
    if !observedKey._withUnsafeGuaranteedRef({ $0.isObserved.load(ordering: .relaxed) }) {
      return false
    }
    guard lock.tryLock() else { return beginElsewhere(delivery, of: subject, at: observedKey) }
    guard observedKey._withUnsafeGuaranteedRef({ $0.certainlyNotifies }) else {
      lock.unlock()
      return beginElsewhere(delivery, of: subject, at: observedKey)
    }
    observedKey._withUnsafeGuaranteedRef { target in
      delivery.initialize(to: Delivery(of: subject, at: observedKey, target.state.pin()))
      target.state.pinDependents(&delivery.pointee.snapshot)
    }
    lock.unlock()
    return delivery.pointee.snapshot.needs.isSimple || delivery.captureUnlessPrior()
  }

  /// The same where another thread has the lock, or something is out of the ordinary.
  @inline(never)
  private func beginElsewhere(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject,
    at observedKey: Unmanaged<ObservedKey>
  ) -> Bool {
    observedKey._withUnsafeGuaranteedRef { $0.begin(delivery, of: subject) }
      && delivery.captureUnlessPrior()
  }
}

extension ObservedKey {
  /// Takes a snapshot of the observers of a change of the key, and creates its delivery.
  ///
  /// The caller lets dependents capture what they need. A manual change is made even if the class switched
  /// automatic notification off. Returns false, and creates no delivery, if no observer is to be notified.
  ///
  /// - `beginsPair`: Whether the change is completed by a second call.
  func begin(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject,
    isManualNotification: Bool = false, beginsPair: Bool = false
  ) -> Bool {
    withLock {
      guard state.isObserved, !isManual || isManualNotification,
        mutationBlockCount == 0 || !isInMutationBlock
      else { return false }
      let snapshot = state.pin(beginsPair: beginsPair)
      delivery.initialize(to: Delivery(of: subject, at: .passUnretained(self), snapshot))
      state.pinDependents(&delivery.pointee.snapshot)
      return true
    }
  }

  /// Reattaches the derived values that are attached to the key.
  ///
  /// - `pathsOnly`: Whether only paths are, to the objects that a setter has stored without notifying them (P20, P25).
  func catchUp(pathsOnly: Bool = false) {
    let attached = withLock { state.registrationsAttached(since: nil) } ?? []
    if !pathsOnly { return attached.catchUp() }
    for registration in attached {
      if let link = registration.link, link.computedKey == nil { link.catchUp() }
    }
  }
}
