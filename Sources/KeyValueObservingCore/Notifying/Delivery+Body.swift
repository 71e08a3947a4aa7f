public import CKeyValueObserving

// Making the change, and evaluating what depends on the key after it.
extension UnsafeMutablePointer<Delivery> {
  /// Makes the change by running code of the class or of its user, which may make others.
  @inlinable
  @inline(__always)
  func runBody<Result>(_ body: () -> Result) -> Result {
    let thread = kvo_thread().unsafelyUnwrapped
    let lastChange = thread.pointee.last_change
    thread.pointee.running_bodies &+= 1
    let result = body()
    thread.pointee.running_bodies &-= 1
    takeInChangesOfBody(since: lastChange)
    return result
  }

  /// Takes in the changes that the thread has made while this one was made by code of the class or its user.
  ///
  /// Paths that were led away from the key are not notified of it (P25). It gets its position behind those
  /// changes (P11): some of them may wait for a delivery that is running, and dependents deliver them before it.
  /// A mutation in place has derived values wait for its end instead (`InPlaceMutation`).
  ///
  /// - Parameter lastChange: The last change that the thread had begun before that.
  @inlinable
  @inline(__always)
  func takeInChangesOfBody(since lastChange: UInt64) {
    if kvo_thread().unsafelyUnwrapped.pointee.last_change != lastChange { takeInChangesOfBody() }
  }

  @usableFromInline
  func takeInChangesOfBody() {
    dropDetached()
    if pointee.number == 0 { return }
    let number = ThreadState.makeChangeNumber()
    // Dependents know the change by its number.
    runWithPaths(.renumber)
    pointee.number = number
  }

  /// Evaluates dependents after the change, before any observer is called.
  ///
  /// Getters may set the key, which is delivered behind this change (P11).
  func settle() { settle {} }

  /// The same, with those that have changes of their own, which `evaluateOthers` makes.
  @inline(__always)
  func settle(_ evaluateOthers: () -> Void) {
    pointee.noteMade()
    let thread = ThreadState.current
    pointee.outer = thread.settlingDelivery
    thread.settlingDelivery = self
    catchUp()
    runWithPaths(.settle)
    evaluateOthers()
    thread.settlingDelivery = pointee.outer
  }

  /// Drops paths that were detached from the key during the mutation and are silent from then on
  /// (P25).
  ///
  /// - Parameter lastChange: The last change that the thread had begun before that. If it has begun
  ///   none since, no path has moved.
  @usableFromInline
  func dropDetached(since lastChange: UInt64) {
    if ThreadState.current.pointee.last_change != lastChange { dropDetached() }
  }

  private func dropDetached() { updateSnapshot { $0.dropDetached(from: &$1) } }

  /// Updates the snapshot by a function that returns the registrations which are not called any more.
  func updateSnapshot(
    _ update: (inout ObservedKeyState, inout ObserverSnapshot) -> [Registration]
  ) {
    let ended = pointee.observedKey._withUnsafeGuaranteedRef { observedKey in
      observedKey.withLock { update(&observedKey.state, &pointee.snapshot) }
    }
    for registration in ended { registration.link?.forget(self) }
  }

  /// Reattaches derived values that were attached before the store: they are not notified (P13).
  func catchUp() {
    pointee.observedKey._withUnsafeGuaranteedRef { observedKey in
      if observedKey.state.catchUpCount == pointee.snapshot.catchUpCount { return }
      let attached = observedKey.withLock {
        let attached = observedKey.state.registrationsAttached(since: pointee.snapshot)
        pointee.snapshot.catchUpCount = observedKey.state.catchUpCount
        return attached
      }
      attached?.catchUp()
    }
  }
}
