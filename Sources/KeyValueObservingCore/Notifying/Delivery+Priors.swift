internal import CKeyValueObserving
internal import Synchronization

// Before the change.
extension UnsafeMutablePointer<Delivery> {
  /// Whether an observer that is to be notified requests prior notifications.
  func receivesPriors(_ observer: ObserverIdentity) -> Bool {
    pointee.snapshot.registrations().contains {
      $0._withUnsafeGuaranteedRef {
        $0.identity == observer && $0.needs.contains(.prior) && $0.observation.isReachedByPriors
      }
    }
  }

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
    // By its number dependents defer it.
    if !pointee.snapshot.needs.isSimple, pointee.number == 0 {
      pointee.number = ThreadState.makeChangeNumber()
    }
    run(.capture)
  }

  /// The same behind prior notifications.
  private func captureAfterPriors() {
    let thread = ThreadState.current
    let latest = thread.pointee.last_change
    pointee.number = ThreadState.makeChangeNumber()
    // Dependents compare what they have captured for prior notifications with the latest change.
    thread.pointee.last_change = latest
    run(.capture)
    // A getter may have made another change.
    if thread.pointee.last_change == latest { thread.pointee.last_change = pointee.number }
  }

  /// Sends prior notifications, and captures what the change is going to replace.
  ///
  /// Changes by a prior callback are delivered in full, and may have led a path to the key. So the change
  /// is planned again after them, for the observers behind as well, and paths to the key take part in it
  /// (P11).
  ///
  /// - `old`: Passes on the address of the value that the change replaces as it is planned now.
  /// - `isSensitive`: Whether the change is planned again even if no change was noted. An observer that has
  ///   ended its observation changes the property without one.
  /// - `plan`: Plans the change again: at least, it reads the old value. It returns false if nothing is to
  ///   be changed any more.
  ///
  /// Returns the last result of `plan`. If it is false, nothing was captured.
  @usableFromInline
  func sendPriors(
    old: ((UnsafeRawPointer?) -> Void) -> Void, isSensitive: Bool = false, _ plan: () -> Bool
  ) -> Bool {
    let thread = ThreadState.current
    var hasChanged = false
    var next: Int32?
    if beginPriors() {
      keepRoots()
      run(.fixObservers)
      next = 0
    }
    while let first = next {
      let lastChange = thread.pointee.last_change
      old { address in
        pointee.old = address
        // As in `enter(_:)`: what observers read is no input of a getter that makes the change.
        ThreadState.pauseRecording { call(.prior, in: .prior, from: first) }
        next = nextAfterPriors
        pointee.old = nil
      }
      if thread.pointee.last_change != lastChange { hasChanged = true }
      if next == nil {
        endPriors()
      } else if hasChanged || isSensitive, !plan() {
        endPriors()
        return false
      }
    }
    // A change of the property itself is one of them: it has a position, because this one has begun.
    if hasChanged { takeInChangesOfPriors() }
    if hasChanged || isSensitive, !plan() { return false }
    captureAfterPriors()
    return true
  }

  /// Notes that prior notifications are about to be sent.
  ///
  /// Returns false if too many are being sent.
  func beginPriors() -> Bool {
    let thread = ThreadState.current
    let depth = thread.preparation.outward.count { $0.isOf(pointee.observedKey) }
    guard depth < LoopLimit.generationLimit else {
      if let suspects = thread.suspendPriors(of: pointee.observedKey) {
        reportNotConverging(because: suspects)
      }
      return false
    }
    pointee.outer = thread.preparation
    pointee.priorNumber = thread.makePriorNumber()
    thread.preparation = self
    return true
  }

  /// Ends prior notifications, after the last one or where the change is not going to be made.
  func endPriors() {
    let thread = ThreadState.current
    thread.preparation = pointee.outer
    thread.endOutermostChange(outside: thread.delivery)
  }

  /// Calls all observers of prior notifications with an old value that their changes of the key do not alter.
  ///
  /// - `needs`: Those of all links, if the other observers have been called.
  func callAllPriors(_ needs: ObserverNeeds = .prior, from old: AnyValueBox?) {
    withAddress(in: old) { old in
      pointee.old = old
      ThreadState.pauseRecording {
        call(needs, in: .prior)
        while let next = nextAfterPriors { call(needs, in: .prior, from: next) }
      }
      pointee.old = nil
    }
  }

  /// Adds paths that have come to lead to the property in prior notifications, and removes observers that
  /// have ended, where something was changed then.
  func takeInChangesOfPriors() { updateSnapshot { $0.extend(&$1) } }

  /// Keeps the objects from which paths lead to the observed key from the prior notifications on until the change
  /// has been delivered (P14).
  func keepRoots() {
    if pointee.snapshot.hasRoots { withWaiting { $0.roots = pointee.snapshot.roots } }
  }

  /// Releases what `keepRoots()` keeps, where the change is not delivered yet.
  func releaseBacklog() {
    pointee.backlog?.release()
    pointee.backlog = nil
  }
}
