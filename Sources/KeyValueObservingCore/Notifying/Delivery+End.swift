extension UnsafeMutablePointer<Delivery> {
  // Calls nothing but at its end, as `beginAndCapture` does (row: set, 1 observer).
  /// Releases the observers.
  @usableFromInline
  func end() {
    let context = pointee.observedKey._withUnsafeGuaranteedRef { $0.unmanagedContext }
    guard context._withUnsafeGuaranteedRef({ $0.lock.tryLock() }) else {
      return Self.lockAndEnd(self, pinned: pointee.snapshot.number)
    }
    let isUnpinned = pointee.observedKey._withUnsafeGuaranteedRef { observedKey in
      observedKey.state.catchUpCount == pointee.snapshot.catchUpCount
        && observedKey.state.unpinUnlessSweepIsDue()
    }
    guard isUnpinned else { return Self.endAndUnlock(self, pinned: pointee.snapshot.number) }
    context._withUnsafeGuaranteedRef { $0.lock.unlock() }
  }

  // Static, as the next, so that the address stays in its register (row: set, 1 observer).
  /// The same, waiting for the lock.
  ///
  /// - `number`: The number of the snapshot that was pinned, where the delivery has another one now.
  @inline(never)
  static func lockAndEnd(_ delivery: Self, pinned number: UInt64) {
    delivery.pointee.observedKey._withUnsafeGuaranteedRef { $0.context.lock.lock() }
    endAndUnlock(delivery, pinned: number)
  }

  /// Releases observers of which those that have come since were notified of changes of their own.
  func unpinAfterTransaction() {
    let ended = pointee.observedKey._withUnsafeGuaranteedRef { observedKey in
      observedKey.withLock { observedKey.state.unpin(pointee.snapshot.number) }
    }
    ended?.end()
  }

  // Out of line: it takes the snapshot and the state as a whole, and copying them just after their
  // fields were written stalls every set.
  /// Releases observers of which some have changed, with the lock of the context held.
  ///
  /// Reattaches derived values that were attached while the value was stored, and releases the closures
  /// of observations that ended during the delivery, outside the lock (P32).
  @inline(never)
  private static func endAndUnlock(_ delivery: Self, pinned number: UInt64) {
    let observedKey = delivery.pointee.observedKey.takeUnretainedValue()
    let attached = observedKey.state.registrationsAttached(since: delivery.pointee.snapshot)
    let ended = observedKey.state.unpin(number)
    let isLast = observedKey.state.pins == 0
    observedKey.context.lock.unlock()
    ended?.end()
    attached?.catchUp(notesMissedChange: isLast)
  }

  /// Ends a change that is not going to be made.
  func abandon() {
    abandonPriors()
    runWithPaths(.abandon)
    releaseBacklog()
    end()
    let thread = ThreadState.current
    thread.endOutermostChange(outside: thread.delivery)
  }

  /// Notifies registrations that the change does not follow its prior notification.
  func abandonPriors() {
    if !requires(.prior) { return }
    for registration in pointee.snapshot.registrations(to: pointee.snapshot.observerCount) {
      registration._withUnsafeGuaranteedRef {
        if $0.needs.contains(.prior), !$0.hasEnded { $0.changeAbandoned() }
      }
    }
  }
}
