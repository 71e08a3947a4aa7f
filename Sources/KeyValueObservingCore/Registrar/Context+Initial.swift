extension Context {
  /// Calls an observer for the first time (P3), before the changes that its handler makes (P11).
  ///
  /// Meanwhile the thread delivers to the observer's entry alone, so that changes of the same slot, or
  /// of the same expression, wait as they do while a change is delivered.
  ///
  /// - `slot`: The slot to which the observer is attached.
  /// - `index`: Returns the index of the observer in the slot, with the lock held; a negative one
  ///   if the observation has ended.
  /// - `expression`: The observer, if it is a key path.
  func deliverInitial(
    of subject: AnyObject, at slot: Unmanaged<Slot>, index: () -> Int32, to expression: Expression?,
    _ body: () -> Void
  ) {
    let thread = ThreadState.current
    // Inside a delivery of the same key, changes of the key wait for that one.
    guard expression != nil || !thread.delivery.isRunning(at: slot) else { return body() }
    withUnsafeTemporaryAllocation(of: Delivery.self, capacity: 1) { memory in
      let delivery = memory.baseAddress.unsafelyUnwrapped
      guard begin(delivery, of: subject, at: slot, calling: index) else { return body() }
      delivery.enter(thread)
      body()
      expression?.deliverDeferred()
      delivery.leave(thread)
    }
  }

  private func begin(
    _ delivery: UnsafeMutablePointer<Delivery>, of subject: AnyObject, at slot: Unmanaged<Slot>,
    calling index: () -> Int32
  ) -> Bool {
    lock.withLock {
      let index = index()
      guard index >= 0 else { return false }
      slot._withUnsafeGuaranteedRef { target in
        var round = target.state.pin()
        round.observers = round.observers.map { $0 + Int(index) }
        round.observerCount = 1
        round.closureCount = 0
        delivery.initialize(to: Delivery(of: subject, at: slot, round))
      }
      delivery.pointee.cursor = 0
      return true
    }
  }
}

extension UnsafeMutablePointer<Delivery>? {
  /// Whether one of the running deliveries is of a slot.
  fileprivate func isRunning(at slot: Unmanaged<Slot>) -> Bool {
    first { $0.pointee.slot.toOpaque() == slot.toOpaque() } != nil
  }
}
