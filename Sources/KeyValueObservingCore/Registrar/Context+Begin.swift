internal import Synchronization

extension Context {
  // Calls other functions only at its end, so it has no registers to save (row: set, 1 observer).
  /// Takes a snapshot of the observers of a change of a key, and creates its delivery.
  ///
  /// Returns false, and creates none, if there are no observers.
  @usableFromInline
  func begin(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject, _ name: KeyName
  ) -> Bool {
    guard let slot = identicalSlot(named: name) else {
      return beginElsewhere(delivery, of: subject, name)
    }
    if !slot._withUnsafeGuaranteedRef({ $0.isObserved.load(ordering: .relaxed) }) { return false }
    guard lock.tryLock() else { return beginElsewhere(delivery, of: subject, name) }
    guard slot._withUnsafeGuaranteedRef({ $0.isOpen }) else {
      lock.unlock()
      return beginElsewhere(delivery, of: subject, name)
    }
    pinLocked(slot, delivery, of: subject)
    return delivery.pointee.round.demand.isSimple || delivery.prepareOthers()
  }

  /// The same where another thread has the lock, or something is out of the ordinary.
  @inline(never)
  private func beginElsewhere(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject, _ name: KeyName
  ) -> Bool {
    beginUnprepared(delivery, of: subject, name) && delivery.prepareOthers()
  }

  /// The same, but for what `prepareOthers()` does.
  func beginUnprepared(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject, _ name: KeyName
  ) -> Bool {
    guard let slot = observedSlot(named: name) else { return false }
    return begin(delivery, of: subject, at: slot)
  }

  /// The same for a slot of this context, but for what `prepareOthers()` does.
  ///
  /// A change by hand is made even if the class switched automatic notification off.
  func begin(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject, at slot: Unmanaged<Slot>,
    isByHand: Bool = false
  ) -> Bool {
    lock.lock()
    let isHeard = slot._withUnsafeGuaranteedRef {
      $0.state.isObserved && (!$0.isManual || isByHand) && ($0.scopeCount == 0 || !$0.isScoped)
    }
    if isHeard { pinLocked(slot, delivery, of: subject) } else { lock.unlock() }
    return isHeard
  }

  /// Makes the delivery of a change, and unlocks.
  @inline(__always)
  private func pinLocked(
    _ slot: Unmanaged<Slot>, _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject
  ) {
    slot._withUnsafeGuaranteedRef { target in
      delivery.initialize(to: Delivery(of: subject, at: slot, target.state.pin()))
      target.state.pinDependents(&delivery.pointee.round)
    }
    lock.unlock()
  }

  /// Rewires the expressions that are attached to a key.
  @usableFromInline
  func catchUp(_ name: KeyName) {
    guard let slot = observedSlot(named: name)?.takeUnretainedValue(), !slot.isManual,
      // The function that opened the mutation block does it at its end.
      !slot.isScoped
    else { return }
    catchUp(slot)
  }

  /// Rewires the expressions that are attached to a slot.
  func catchUp(_ slot: Slot) {
    for expression in lock.withLock({ slot.state.latecomers(to: nil) }) ?? [] {
      expression.catchUp()
    }
  }

  /// The slot of a weak property whose object is watched.
  func watchedSlot(named name: KeyName) -> Unmanaged<Slot>? {
    isTracked.load(ordering: .relaxed) ? slot(named: name) : observedSlot(named: name)
  }

  /// The slot of a key that has observers now.
  @inline(__always)
  func observedSlot(named name: KeyName) -> Unmanaged<Slot>? {
    guard let slot = slot(named: name),
      slot._withUnsafeGuaranteedRef({ $0.isObserved.load(ordering: .relaxed) })
    else { return nil }
    return slot
  }
}
