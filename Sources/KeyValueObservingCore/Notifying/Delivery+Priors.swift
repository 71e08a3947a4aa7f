internal import CKeyValueObserving

// Before the change.
extension UnsafeMutablePointer<Delivery> {
  /// Gives the change its position among others, and lets dependents capture their old values, unless
  /// prior notifications come before that.
  ///
  /// Returns true: a function that begins a change has nothing to do after it.
  @inline(never)
  func captureUnlessPrior() -> Bool {
    if !requires(.prior) { capture() }
    return true
  }

  /// Gives the change its position among others, and lets dependents capture their old values.
  ///
  /// Nothing comes between this and the change itself.
  func capture() {
    let thread = ThreadState.current
    let latest = thread.pointee.changes
    if !pointee.snapshot.needs.isSimple { pointee.number() }
    if !pointee.snapshot.needs.contains(.phases) { return }
    if !requires(.prior) { return run(.capture) }
    // Dependents compare what they have captured for prior notifications with the latest change.
    let own = thread.pointee.changes
    thread.pointee.changes = latest
    run(.capture)
    thread.pointee.changes = own
  }

  /// Calls the observers of prior notifications from an index on.
  ///
  /// Returns the index behind the first one whose callback has changed something; nil if none is
  /// left.
  ///
  /// A prior callback that sets the property again is inside the first, so its depth is bounded
  /// like the generations of changes that wait: there the priors are left out (P18).
  func deliverPriors(from first: Int32, old: UnsafeRawPointer?) -> Int32? {
    if first == 0, !beginPriors() { return nil }
    pointee.old = old
    // As in `enter(_:)`: what observers read is no input of a getter that makes the change.
    let next = ReadRecorder.pause { callPriors(from: first) }
    pointee.old = nil
    if next == nil { endPriors() }
    return next
  }

  private func beginPriors() -> Bool {
    let thread = ThreadState.current
    var depth = 0
    var preparation = thread.preparation
    while let other = preparation {
      if other.pointee.observedKey.toOpaque() == pointee.observedKey.toOpaque() { depth += 1 }
      preparation = other.pointee.outer
    }
    guard depth < LoopLimit.generationLimit else {
      if thread.suspendPriors(of: pointee.observedKey) {
        reportNotSettling(because: thread.priorLoopers)
      }
      return false
    }
    pointee.outer = thread.preparation
    thread.preparation = self
    keepRoots()
    return true
  }

  /// Ends prior notifications, after the last one or where the change is not going to be made.
  func endPriors() {
    let thread = ThreadState.current
    thread.preparation = pointee.outer
    if thread.pointee.suspended != nil { thread.endSuspension(outside: thread.delivery) }
  }

  /// Runs the phase before the change from an index on.
  ///
  /// Returns the index behind the first one that has changed something; nil if none is left.
  func callPriors(from first: Int32) -> Int32? {
    let thread = ThreadState.current
    let changes = thread.pointee.changes
    pointee.phase = .prior
    pointee.cursor = first
    while pointee.cursor < pointee.snapshot.count {
      if let registration = pointee.snapshot.entry(at: pointee.cursor)?.pointee.registration {
        call(registration, thread, .prior)
      }
      pointee.cursor &+= 1
      if thread.pointee.changes != changes, pointee.cursor < pointee.snapshot.count {
        return pointee.cursor
      }
    }
    return nil
  }

  /// Adds paths that have come to lead to the property in prior notifications, and removes observers that
  /// have ended, where something was changed then.
  func takeInChangesOfPriors() {
    let ended = pointee.observedKey._withUnsafeGuaranteedRef { observedKey in
      observedKey.context.lock.withLock { observedKey.state.extend(&pointee.snapshot) }
    }
    for registration in ended { registration.forget(self) }
  }
}
