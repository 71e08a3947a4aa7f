extension ObservationContext {
  /// Calls one observer, before the changes that its handler makes (P11).
  ///
  /// Meanwhile the thread delivers to the observer's entry alone, so that changes of the same
  /// observed key, or of the same derived value, wait as they do while a change is delivered. Changes of dependents do
  /// not: none of theirs belongs to this delivery.
  ///
  /// - `observedKey`: The observed key to which the observer is attached.
  /// - `index`: Returns the index of the observer in the observed key, with the lock held; a negative one
  ///   if the observation has ended.
  /// - `path`: The observer, if it is one of a key path.
  /// - `position`: The position among what is handed to actors.
  func callAlone(
    of subject: AnyObject, at observedKey: Unmanaged<ObservedKey>, index: () -> Int32,
    to path: DerivedValue?, position: HandOver = .last, _ body: () -> Void
  ) {
    let thread = ThreadState.current
    // Inside a delivery of the same key, changes of the key wait for that one.
    let isInside = thread.delivery.outward.contains { $0.isOf(observedKey) }
    guard path != nil || !isInside else { return body() }
    Delivery.withMemory { delivery in
      guard begin(delivery, of: subject, at: observedKey, calling: index) else { return body() }
      delivery.pointee.handOver = position
      delivery.enter(thread)
      body()
      path?.deliverDeferred()
      delivery.leave(thread)
    }
  }

  private func begin(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject,
    at observedKey: Unmanaged<ObservedKey>,
    calling index: () -> Int32
  ) -> Bool {
    lock.withLock {
      let index = index()
      guard index >= 0 else { return false }
      observedKey._withUnsafeGuaranteedRef { target in
        var snapshot = target.state.pin()
        target.state.pinDependents(&snapshot)
        snapshot.observerCount = index + 1
        snapshot.closureCount = 0
        delivery.initialize(to: Delivery(of: subject, at: observedKey, snapshot))
      }
      delivery.pointee.cursor = index
      return true
    }
  }
}
