internal import CKeyValueObserving

extension UnsafeMutablePointer<Delivery> {
  // Calls nothing but at its end, as `beginAndCapture` does (row: set, 1 observer).
  /// Releases the observers.
  @usableFromInline
  func end() {
    let context = pointee.observedKey._withUnsafeGuaranteedRef { $0.unmanagedContext }
    guard context._withUnsafeGuaranteedRef({ $0.lock.tryLock() }) else { return endElsewhere() }
    let isUnpinned = pointee.observedKey._withUnsafeGuaranteedRef { observedKey in
      observedKey.state.catchUpCount == pointee.snapshot.catchUpCount
        && observedKey.state.unpinUnlessSweepIsDue()
    }
    guard isUnpinned else { return endAndUnlock() }
    context._withUnsafeGuaranteedRef { $0.lock.unlock() }
  }

  /// The same where another thread has the lock.
  @inline(never)
  private func endElsewhere() {
    pointee.observedKey._withUnsafeGuaranteedRef { $0.context.lock.lock() }
    endAndUnlock()
  }

  /// Releases observers of which those that have come since were notified of changes of their own.
  func unpinAfterTransaction() {
    let ended = pointee.observedKey._withUnsafeGuaranteedRef { observedKey in
      observedKey.withLock { observedKey.state.unpin() }
    }
    ended?.release()
  }

  // Out of line: it takes the snapshot and the state as a whole, and copying them just after their
  // fields were written stalls every set.
  /// Releases observers of which some have changed, with the lock of the context held.
  ///
  /// Reattaches derived values that were attached while the value was stored, and releases the closures
  /// of observations that ended during the delivery, outside the lock (P32).
  @inline(never)
  private func endAndUnlock() {
    let observedKey = pointee.observedKey.takeUnretainedValue()
    let attached = observedKey.state.registrationsAttached(since: pointee.snapshot)
    let ended = observedKey.state.unpin()
    let isLast = observedKey.state.pins == 0
    let awaitsSweep = !isLast && observedKey.state.isMostlyVacant
    observedKey.context.lock.unlock()
    ended?.release()
    attached?.catchUp(notesMissedChange: isLast)
    if awaitsSweep, !ThreadState.current.mayReadObservers { Self.awaitSweep(of: observedKey) }
  }

  /// Lets the deliveries of other threads end, which read many entries of observers that have ended.
  ///
  /// Threads whose deliveries always overlap would never let these be removed, and the longer the list became, the more
  /// they would overlap. Each of them comes here, so mostly one is the last. It is no wait for code of the user: a
  /// delivery that takes longer than sixteen yields is left alone.
  @inline(never)
  private static func awaitSweep(of observedKey: ObservedKey) {
    for attempt in 1...UInt32(16) {
      kvo_wait(attempt)
      let isOver = observedKey.withLock {
        observedKey.state.pins == 0 || !observedKey.state.isMostlyVacant
      }
      if isOver { return }
    }
  }
}

extension UnsafeMutablePointer<kvo_thread_state> {
  /// Whether a change of the thread may read the observers of a key, and so keep them.
  fileprivate var mayReadObservers: Bool {
    pointee.delivery != nil || pointee.preparation != nil || pointee.transaction != nil
      || pointee.ending_transactions != 0
  }
}
