internal import CKeyValueObserving

/// An observed key that a transaction has changed, and whose observers are notified at its end.
///
/// Observers that are registered meanwhile start from another value than those that were there before (P53),
/// so a further change begins a delivery for them. Each delivery keeps its observers where they are in the
/// observer list, so those that come later stand behind them.
final class PendingKey {
  unowned let transaction: Transaction
  let observedKey: ObservedKey
  private let context: ObservationContext
  let subject: AnyObject
  private(set) var deliveries: [PendingDelivery] = []
  /// How many observers and dependents the deliveries have.
  private var observerCount: Int32 = 0
  private var dependentCount: Int32 = 0
  /// The thread that delivers the changes, as soon as it does.
  private(set) var deliveringThread: UnsafeMutableRawPointer?

  private init(_ observedKey: ObservedKey, of subject: AnyObject, in transaction: Transaction) {
    self.transaction = transaction
    self.observedKey = observedKey
    self.subject = subject
    context = observedKey.context
  }

  /// Fixes the observers of a key that is about to be changed, unless that has been done.
  ///
  /// Returns the key, and the delivery if one was made; nil if no observer is to be notified.
  static func begin(
    at observedKey: ObservedKey, of subject: AnyObject, in transaction: Transaction,
    isManualNotification: Bool
  ) -> (key: PendingKey, made: PendingDelivery?)? {
    observedKey.context.lock.withLock {
      guard observedKey.state.isObserved, !observedKey.isManual || isManualNotification,
        observedKey.mutationBlockCount == 0 || !observedKey.isInMutationBlock
      else { return nil }
      let known = observedKey.state.pendingKey(of: transaction)
      let key = known ?? PendingKey(observedKey, of: subject, in: transaction)
      let made = key.pinNewObservers()
      if known == nil { observedKey.state.add(key) }
      return (key, made)
    }
  }

  /// Fixes the observers that no delivery has; with the lock of the context held.
  private func pinNewObservers() -> PendingDelivery? {
    var snapshot = observedKey.state.pin()
    observedKey.state.pinDependents(&snapshot)
    guard snapshot.observerCount > observerCount || snapshot.dependentCount > dependentCount else {
      observedKey.state.unpinUnchanged()
      return nil
    }
    let (observers, dependents) = (snapshot.observerCount, snapshot.dependentCount)
    snapshot.leaveOut(observers: observerCount, dependents: dependentCount)
    (observerCount, dependentCount) = (observers, dependents)
    snapshot.needs.insert(.transaction)
    let delivery = PendingDelivery(
      Delivery(of: subject, at: .passUnretained(observedKey), snapshot),
      step: transaction.makeStep())
    deliveries.append(delivery)
    return delivery
  }

  /// Notes a change in the innermost transaction, or in one around it.
  func mark(_ depth: Int) {
    for delivery in deliveries { delivery.exclude(transaction.excluded) }
    for delivery in deliveries where delivery.mark(depth) { transaction.append(delivery) }
  }

  /// Notes what happens to a collection: an edit, or something else.
  func add(_ edit: Edit?) {
    for delivery in deliveries { delivery.edits.add(edit) { presentValue?.placeCount } }
  }

  // MARK: Delivering

  /// Whether observers are to be notified.
  var isToDeliver: Bool { deliveries.contains { $0.isToDeliver } }

  /// The property, nil if a key without one was notified manually.
  private var property: KeyValueProperty? {
    observableObject(subject)?.keyValueProperty(named: observedKey.name)
  }

  /// The value as it is.
  var presentValue: AnyValueBox? { property?.box(of: subject) }

  /// Reads the new value, if one is requested.
  func readNewValue() {
    let requesting = deliveries.filter { $0.isToDeliver && $0.needsNewValue }
    guard !requesting.isEmpty, let value = presentValue else { return }
    for delivery in requesting { delivery.new = value }
    for delivery in requesting { delivery.composeEdits() }
  }

  /// From now on, changes of the key that callbacks make wait for these.
  func beginDelivering() { deliveringThread = ThreadState.identity }

  /// The delivery for which other changes of the key wait.
  var first: UnsafeMutablePointer<Delivery>? { deliveries.first { $0.isToDeliver }?.memory }

  /// Calls the observers of the key, and delivers the changes that they make.
  func deliverToObservers(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    for delivery in deliveries where delivery.isToDeliver { delivery.callObservers(thread) }
    observedKey.context.lock.withLock { observedKey.state.remove(self) }
    deliveries.first { $0.isToDeliver }?.deliverWaiting(thread)
  }

  /// Ends without having delivered anything.
  func end() {
    observedKey.context.lock.withLock { observedKey.state.remove(self) }
  }
}

extension ObservedKeyState {
  fileprivate func pendingKey(of transaction: Transaction) -> PendingKey? {
    extras?.pendingKeys.first { $0.transaction === transaction }
  }

  fileprivate mutating func add(_ key: PendingKey) { madeExtras().pendingKeys.append(key) }

  fileprivate func remove(_ key: PendingKey) {
    extras?.pendingKeys.removeAll { $0 === key }
  }

  /// The delivery of the key that the running thread is going to run, or runs, at the end of a transaction.
  var deliveryAfterTransaction: UnsafeMutablePointer<Delivery>? {
    guard let keys = extras?.pendingKeys, !keys.isEmpty else { return nil }
    return keys.first { $0.deliveringThread == ThreadState.identity }?.first
  }
}

extension ObserverSnapshot {
  /// Leaves out those who come first.
  mutating func leaveOut(observers leftOut: Int32, dependents leftOutDependents: Int32 = 0) {
    observers = observers.map { $0 + Int(leftOut) }
    observerCount -= leftOut
    closureCount = observerCount
    dependents = dependents.map { $0 + Int(leftOutDependents) }
    dependentCount -= leftOutDependents
  }
}
