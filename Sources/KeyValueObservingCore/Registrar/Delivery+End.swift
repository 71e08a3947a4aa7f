extension UnsafeMutablePointer<Delivery> {
  // Calls nothing but at its end, as `begin` does (row: set, 1 observer).
  /// Releases the observers.
  @usableFromInline
  func end() {
    let context = pointee.slot._withUnsafeGuaranteedRef { $0.unmanagedContext }
    guard context._withUnsafeGuaranteedRef({ $0.lock.tryLock() }) else { return endElsewhere() }
    let isAlone = pointee.slot._withUnsafeGuaranteedRef { slot in
      slot.state.expressionCount == pointee.round.expressionCount && slot.state.unpinAlone()
    }
    guard isAlone else { return endWithExtras() }
    context._withUnsafeGuaranteedRef { $0.lock.unlock() }
  }

  /// The same for a key with extras, with the lock of the context held.
  @inline(never)
  private func endWithExtras() {
    let slot = pointee.slot.takeUnretainedValue()
    guard slot.state.expressionCount == pointee.round.expressionCount,
      slot.state.unpinUnlessSweepIsDue()
    else { return endLocked() }
    slot.context.lock.unlock()
  }

  /// The same where another thread has the lock.
  @inline(never)
  private func endElsewhere() {
    pointee.slot._withUnsafeGuaranteedRef { $0.context.lock.lock() }
    endLocked()
  }

  // Out of line: it takes the round and the state as a whole, and copying them just after their
  // fields were written stalls every set.
  /// Releases observers of which some have changed, with the lock of the context held.
  ///
  /// Rewires those who came while the value was stored, and releases the closures of observations
  /// that ended during the delivery, outside the lock (P32).
  @inline(never)
  private func endLocked() {
    let slot = pointee.slot.takeUnretainedValue()
    let latecomers = slot.state.latecomers(to: pointee.round)
    let departed = slot.state.unpin()
    slot.context.lock.unlock()
    departed?.release()
    for expression in latecomers ?? [] { expression.catchUp() }
  }
}
