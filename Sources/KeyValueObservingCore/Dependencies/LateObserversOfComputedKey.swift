/// Observers of a computed key that are registered in a transaction after one of its inputs has changed.
final class LateObserversOfComputedKey: LateObservers {
  private let key: ComputedKey
  private let change: DerivedChange
  private var hasChanged = false

  private init(of key: ComputedKey, _ change: DerivedChange) {
    self.key = key
    self.change = change
  }

  /// Notes that an observer was registered, if the thread is in a transaction that has changed an input.
  static func noteRegistration(at key: ComputedKey?) {
    guard let key, let transaction = Transaction.current,
      let change = key.beginForLateObservers(in: transaction)
    else { return }
    transaction.append(LateObserversOfComputedKey(of: key, change))
  }

  override func keyWillChange(_ observedKey: ObservedKey) {
    guard !hasChanged, observedKey === key.ownKey || key.isComputed(from: observedKey) else {
      return
    }
    hasChanged = true
    guard let delivery = change.delivery else { return }
    if delivery.requires(.prior) { delivery.callAllPriors(from: change.old) }
    delivery.run(.capture)
  }

  override func settle() {
    if !hasChanged || key.hasEnded { return key.drop(change) }
    guard let delivery = change.delivery else { return }
    // Registering has attached the key to what it reads then, which a rollback may have put back.
    let new = key.evaluate()
    if delivery.requires(.new) { change.new = new }
    delivery.run(.settle)
  }

  override func deliver() { key.deliver(change) }
}

extension ComputedKey {
  /// Begins a change for the observers that a change in a transaction does not have, nil if it has all.
  fileprivate func beginForLateObservers(in transaction: Transaction) -> DerivedChange? {
    guard let subject,
      let begun = lock.withLock({ state.change(transaction.number) })?.delivery
    else { return nil }
    let change = makeChange()
    change.begin(with: begun, of: subject)
    pin(change, subject)
    guard let delivery = change.delivery else { return nil }
    // The observers are registered one by one.
    delivery.pointee.snapshot.leaveOut(observers: delivery.pointee.snapshot.observerCount - 1)
    delivery.pointee.change = change.number
    // The transaction may have changed what it is computed from. From now on, changes of that concern it.
    change.old = evaluate()
    return change
  }

  /// Whether a key is an input.
  fileprivate func isComputed(from observedKey: ObservedKey) -> Bool {
    let identity = ObservedKeyIdentity(Unmanaged.passUnretained(observedKey).toOpaque())
    return lock.withLock { state.links.contains { $0.lastKeyIdentity == identity } }
  }
}
