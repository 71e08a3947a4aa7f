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
  @exclusivity(unchecked)
  private(set) var deliveries: [PendingDelivery] = []
  /// How many observers and dependents the deliveries have.
  @exclusivity(unchecked)
  private var observerCount: Int32 = 0
  @exclusivity(unchecked)
  private var dependentCount: Int32 = 0
  /// The thread that delivers the changes, as soon as it does.
  @exclusivity(unchecked)
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
    let step = transaction.makeStep()
    for delivery in deliveries {
      if delivery.mark(depth) { transaction.append(delivery) }
      delivery.lastStep = step
      delivery.exclude(transaction.excluded)
    }
  }

  /// Notes a change, and what happens to a collection.
  ///
  /// - `isEditing`: Whether an edit by proxy, which has been noted, sets the property.
  func mark(_ depth: Int, with edit: Edit?, isEditing: Bool) {
    mark(depth)
    if !isEditing { add(edit) }
  }

  /// Notes what happens to a collection: an edit, or something else.
  func add(_ edit: Edit?) {
    for delivery in deliveries {
      // Read before, since a getter may make a change of the key.
      let count =
        edit != nil && delivery.edits.isEmpty
        ? (delivery.old ?? presentValue)?.placeCount : nil
      delivery.edits.add(edit, count: count)
    }
  }

  /// Fixes the observers that were registered in prior notifications, which start from the value that they
  /// have found (P53).
  func takeInNewObservers() -> PendingDelivery? {
    observedKey.context.lock.withLock { pinNewObservers() }
  }

  /// Whether an observer has received a prior notification, for which the change is still to come.
  var isAnnounced: Bool { deliveries.contains { $0.isAnnounced } }

  /// Evaluates what has been attached to the key since its observers were fixed.
  func catchUp() {
    let latecomers = observedKey.context.lock.withLock {
      observedKey.state.registrations(from: observerCount, dependentCount)
    }
    for registration in latecomers { registration.catchUp() }
  }

  // MARK: Delivering

  /// Whether observers are to be notified.
  var isToDeliver: Bool { deliveries.contains { $0.isToDeliver } }

  /// Its last change that was not put back, among the steps of the transaction.
  var lastStep: Int { deliveries.reduce(0) { max($0, $1.lastStep) } }

  /// Forgets the change, which was not made.
  func takeBack() { for delivery in deliveries { delivery.takeBack(from: 0) } }

  /// Whether the key has changed, and was not put back.
  var isChanged: Bool { deliveries.contains { $0.isChanged } }

  /// The property, nil if a key without one was notified manually.
  private lazy var property = observableObject(subject)?
    .keyValueProperty(named: observedKey.name)

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
  func beginDelivering() {
    observedKey.context.lock.withLock { deliveringThread = ThreadState.identity }
  }

  /// The delivery for which other changes of the key wait.
  var first: UnsafeMutablePointer<Delivery>? { deliveries.first { $0.isAwaited }?.memory }

  /// Calls the observers of the key, and delivers the changes that they make.
  func deliverToObservers(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    for delivery in deliveries where delivery.isToDeliver { delivery.callObservers(thread) }
    observedKey.context.lock.withLock { observedKey.state.remove(self) }
    deliveries.first { $0.isAwaited }?.deliverWaiting(thread)
  }

  /// Ends without having delivered anything.
  func end() {
    observedKey.context.lock.withLock { observedKey.state.remove(self) }
  }
}

extension Transaction {
  /// The change of an observed key, if one has begun.
  func pendingKey(at observedKey: ObservedKey) -> PendingKey? {
    observedKey.context.lock.withLock { observedKey.state.pendingKey(of: self) }
  }

  func isPending(_ observedKey: ObservedKey) -> Bool { pendingKey(at: observedKey) != nil }

  /// The change of an observed key, if that has changed and was not put back.
  func changedKey(at observedKey: ObservedKey) -> PendingKey? {
    pendingKey(at: observedKey).flatMap { $0.isChanged ? $0 : nil }
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
