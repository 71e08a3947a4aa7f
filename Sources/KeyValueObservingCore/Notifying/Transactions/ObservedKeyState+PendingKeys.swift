internal import CKeyValueObserving

// The changes of a key that transactions deliver at their ends.
extension Transaction {
  /// The change of an observed key, if one has begun.
  func pendingKey(at observedKey: ObservedKey) -> PendingKey? {
    observedKey.withLock {
      observedKey.state.pendingKey(of: self)?.takeUnretainedValue()
    }
  }

  func hasPreparedChange(of observedKey: ObservedKey) -> Bool {
    pendingKey(at: observedKey)?.isPrepared ?? false
  }
}

extension ObservedKeyState {
  /// Fixes the observers of a change that a transaction delivers at its end.
  mutating func pinForTransaction() -> ObserverSnapshot {
    var snapshot = pin()
    pinDependents(&snapshot)
    return snapshot
  }

  func pendingKey(of transaction: Transaction) -> Unmanaged<PendingKey>? {
    firstPendingKey { $0.belongs(to: transaction) }
  }

  /// The property with the key, once it was looked up, not retained.
  var unmanagedProperty: Unmanaged<KeyValueProperty>? {
    extras?.property.map { .passUnretained($0) }
  }

  /// The last change of the key that was not put back, among the steps of a transaction; 0 if there is none.
  func lastStep(in transaction: Transaction) -> Int {
    pendingKey(of: transaction)?._withUnsafeGuaranteedRef { $0.isChanged ? $0.lastStep : 0 } ?? 0
  }

  @inline(__always)
  private func firstPendingKey(where matches: (PendingKey) -> Bool) -> Unmanaged<PendingKey>? {
    var candidate = extras?.newestPendingKey
    while let key = candidate {
      if key._withUnsafeGuaranteedRef(matches) { return key }
      candidate = key._withUnsafeGuaranteedRef { $0.next }
    }
    return nil
  }

  // It compares indexes of several snapshots, until it ends (`removeIndexKeeper()`).
  mutating func add(_ key: PendingKey) {
    let extras = madeExtras()
    key.next = extras.newestPendingKey
    extras.newestPendingKey = .passUnretained(key)
    extras.indexKeeperCount += 1
  }

  func remove(_ key: PendingKey) {
    let previous = firstPendingKey {
      $0.next?.toOpaque() == Unmanaged.passUnretained(key).toOpaque()
    }
    if let previous {
      previous._withUnsafeGuaranteedRef { $0.next = key.next }
    } else {
      extras?.newestPendingKey = key.next
    }
  }

  /// The delivery of the key that the running thread is going to run, or runs, at the end of a transaction.
  var deliveryAfterTransaction: UnsafeMutablePointer<Delivery>? {
    if extras?.pendingKey == nil { return nil }
    let thread = ThreadState.identity
    // A transaction in a callback may have left its delivery to one around it.
    return firstPendingKey { $0.isDelivered(by: thread) && $0.awaited != nil }?
      ._withUnsafeGuaranteedRef { $0.awaited?.delivery }
  }
}

extension ObservedKeyExtras {
  // No cast has to ask, since nothing else is stored (row: set in a transaction).
  fileprivate var newestPendingKey: Unmanaged<PendingKey>? {
    @inline(__always) get { pendingKey?.unsafelyDowncast(to: PendingKey.self) }
    @inline(__always) set { pendingKey = unsafeBitCast(newValue, to: Unmanaged<AnyObject>?.self) }
  }
}

extension ObservedKey {
  /// How many observers, the oldest ones, have received a prior notification of a change of the key itself in
  /// the transaction of the thread, or of a pair that is open in it, as far as they ask for those.
  func observerCountWithPriors(of subject: AnyObject?) -> Int32 {
    guard let subject, let transaction = Transaction.current else { return 0 }
    let countInPair =
      transaction.isInPair(of: name, of: subject)
      ? withLock { state.epochOfOpenPair.map { state.observers.end(upTo: $0) } } ?? 0 : 0
    var (count, countWithPriors): (Int32, Int32) = (0, 0)
    transaction.pendingKey(at: self)?.forEachChange {
      count += $0.delivery.pointee.snapshot.observerCount
      // Those before it who ask for prior notifications have received them, too.
      if $0.isPriorSent { countWithPriors = count }
    }
    return max(countWithPriors, countInPair)
  }

  /// The property with the key, which the key keeps; nil if there is none.
  func property(of subject: AnyObject) -> Unmanaged<KeyValueProperty>? {
    if let known = withLock({ state.unmanagedProperty }) { return known }
    guard let found = observableObject(subject)?.keyValueProperty(named: name) else { return nil }
    return withLock {
      let extras = state.madeExtras()
      // Another thread may have come first, and use its own.
      if extras.property == nil { extras.property = found }
      return state.unmanagedProperty
    }
  }
}

extension ObserverSnapshot {
  /// Leaves out the observers from a position on.
  mutating func leaveOut(observersFrom position: Int32) {
    observerCount = min(observerCount, max(position, 0))
    closureCount = min(closureCount, observerCount)
  }

  /// Leaves out the first observers and dependents.
  mutating func leaveOut(observers leftOut: Int32, dependents leftOutDependents: Int32 = 0) {
    observers = observers.map { $0 + Int(leftOut) }
    observerCount -= leftOut
    closureCount = observerCount
    dependents = dependents.map { $0 + Int(leftOutDependents) }
    dependentCount -= leftOutDependents
  }
}
