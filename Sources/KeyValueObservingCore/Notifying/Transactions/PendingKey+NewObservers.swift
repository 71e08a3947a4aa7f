// Observers that are registered during the transaction, and those of a key that is notified manually.
extension PendingKey {
  /// Fixes the observers of a key whose setter does not notify them, with the lock of the context held.
  ///
  /// Those that are registered later start from another value, also if the key is notified manually then, and is put
  /// back.
  static func fixUnprepared(
    at observedKey: ObservedKey, of subject: AnyObject, in transaction: Transaction
  ) {
    if let key = observedKey.state.pendingKey(of: transaction)?.takeUnretainedValue() {
      if key.hasNewObservers(in: observedKey.state) { key.pinNewObservers(at: observedKey) }
    } else {
      transaction.makePendingKey()._withUnsafeGuaranteedRef {
        $0.begin(at: observedKey, of: subject)
      }
    }
  }

  /// Whether a change has begun of which observers are to be notified.
  var isPrepared: Bool { first.isPrepared }

  /// The change for the oldest observers that were fixed after a step and are not prepared.
  func nextUnprepared(since step: Int) -> Unmanaged<PendingChange>? {
    func isNext(_ change: PendingChange) -> Bool { !change.isPrepared && change.step > step }
    if isNext(first) { return .passUnretained(first) }
    return later.isEmpty ? nil : later.first(where: isNext).map(Unmanaged.passUnretained)
  }

  /// Fixes the observers that were registered in prior notifications, which start from the value that they
  /// have found (P53).
  ///
  /// Returns whether there were any.
  func fixNewObservers() -> Bool {
    withLock {
      guard hasNewObservers(in: $0.state) else { return false }
      pinNewObservers(at: $0)
      return true
    }
  }

  /// Whether observers have come since the last change; with the lock of the context held.
  @inline(__always)
  func hasNewObservers(in state: borrowing ObservedKeyState) -> Bool {
    state.observers.count > observerCount
      || state.extras?.dependents.count ?? 0 > dependentCount
  }

  /// How many of the observers and dependents of a change, the first ones, a pair of manual notifications has
  /// that the running task or thread has open.
  func countsInPair(of change: PendingChange) -> (observers: Int32, dependents: Int32) {
    withLock { observedKey in
      guard let epoch = observedKey.state.epochOfOpenPair else { return (0, 0) }
      let snapshot = change.delivery.pointee.snapshot
      let observers = observedKey.state.observers.end(upTo: epoch)
      let dependents = observedKey.state.extras?.dependents.end(upTo: epoch) ?? 0
      // The change has the last ones of those that all changes have.
      return (
        min(snapshot.observerCount, max(0, observers + snapshot.observerCount - observerCount)),
        min(snapshot.dependentCount, max(0, dependents + snapshot.dependentCount - dependentCount))
      )
    }
  }
}
