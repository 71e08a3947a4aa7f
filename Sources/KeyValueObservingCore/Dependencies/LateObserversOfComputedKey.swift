/// Observers of a computed key that are registered in a transaction after one of its inputs has changed.
final class LateObserversOfComputedKey: LateObservers {
  private let key: ComputedKey
  private let change: DerivedChange
  private let position: Int32
  private var hasChanged = false

  private init(of key: ComputedKey, _ change: DerivedChange, at position: Int32) {
    self.key = key
    self.change = change
    self.position = position
  }

  /// Notes that an observer was registered, if the thread is in a transaction that has changed an input.
  static func noteRegistration(at key: ComputedKey?) {
    guard let key, let transaction = Transaction.current,
      let (change, position) = key.beginForLateObservers(in: transaction)
    else { return }
    transaction.append(LateObserversOfComputedKey(of: key, change, at: position))
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

  override func position(at observedKey: Unmanaged<ObservedKey>) -> Int32? {
    Unmanaged.passUnretained(key.ownKey).toOpaque() == observedKey.toOpaque() ? position : nil
  }

  override func deliver() { key.notifyObservers(of: change) }
}

extension ComputedKey {
  /// Begins a change for the observer that was registered last, with its position among those of the key; nil if
  /// no input has changed in the transaction.
  fileprivate func beginForLateObservers(
    in transaction: Transaction
  ) -> (DerivedChange, position: Int32)? {
    guard let subject,
      let begun = lock.withLock({ state.change(transaction.number) })?.delivery
    else { return nil }
    let change = makeChange()
    change.begin(with: begun, of: subject)
    pin(change, subject)
    guard let delivery = change.delivery else { return nil }
    // The observers are registered one by one.
    let position = delivery.pointee.snapshot.observerCount - 1
    delivery.pointee.snapshot.leaveOut(observers: position)
    delivery.pointee.change = change.number
    // The transaction may have changed what it is computed from. From now on, changes of that concern it.
    change.old = evaluate()
    return (change, position)
  }

  /// Whether a key is an input.
  fileprivate func isComputed(from observedKey: ObservedKey) -> Bool {
    let identity = ObservedKeyIdentity(Unmanaged.passUnretained(observedKey).toOpaque())
    return lock.withLock { state.links.contains { $0.lastKeyIdentity == identity } }
  }
}
