/// Observers of a computed key that are registered in a transaction after one of its inputs has changed.
final class LateObserversOfComputedKey: LateObservers {
  private let key: ComputedKey
  private let change: DerivedChange
  private let position: Int32
  /// The observers in whose names the key was changed since; nil if it has not.
  private var excluded: Set<ObserverIdentity>?

  private init(of key: ComputedKey, _ change: DerivedChange, at position: Int32) {
    self.key = key
    self.change = change
    self.position = position
  }

  /// Notes that an observer was registered, if the thread is in a transaction that has changed an input.
  static func noteRegistration(at key: ComputedKey?) {
    guard let key, let transaction = Transaction.current,
      let begun = key.change(in: transaction),
      let (change, position) = key.beginForLateObservers(of: begun)
    else { return }
    let observers = LateObserversOfComputedKey(of: key, change, at: position)
    begun.part?.lateObservers.append(observers)
    transaction.append(late: observers)
    key.addLate(change)
  }

  override func keyWillChange(
    _ observedKey: ObservedKey, excluding others: Set<ObserverIdentity>, sendsPriors: Bool
  ) {
    guard observedKey === key.ownKey || key.isComputed(from: observedKey) else { return }
    if let excluded { return self.excluded = excluded.intersection(others) }
    excluded = others
    guard let delivery = change.delivery else { return }
    if sendsPriors, delivery.requires(.prior) {
      ThreadState.current.withExclusion(of: others, by: delivery) {
        delivery.callAllPriors(from: change.old)
      }
    }
    delivery.run(.capture)
  }

  override func valuesWereRestored() {
    // Registering has attached the key to what it read then, for all its observers. Paths to it stay attached until
    // the end: one that moves now is not evaluated again if the transaction around this one is rolled back.
    if !key.hasEnded { key.evaluateWhenPossible() }
  }

  override func settle() {
    guard let excluded, !key.hasEnded else {
      key.removeLate(change)
      return key.drop(change)
    }
    change.part?.add(changeExcluding: excluded)
    guard let delivery = change.delivery else { return }
    let new = key.evaluate()
    if delivery.requires(.new) { change.new = new }
    ThreadState.current.withExclusion(of: excluded, by: delivery) { delivery.run(.settle) }
  }

  override func position(at observedKey: Unmanaged<ObservedKey>) -> Int32? {
    Unmanaged.passUnretained(key.ownKey).toOpaque() == observedKey.toOpaque() ? position : nil
  }

  /// Lets them wait for the observers that were there before, whose change is about to be delivered.
  func wait(for delivery: UnsafeMutablePointer<Delivery>) {
    if change.delivery != nil {
      key.notifyObservers(of: change, inTransactionBehind: delivery)
    }
    key.removeLate(change)
  }

  override func deliver() {
    if change.delivery == nil { return }
    key.removeLate(change)
    key.notifyObservers(of: change)
  }
}

extension ComputedKey {
  /// The change that a transaction makes, if it has changed an input.
  fileprivate func change(in transaction: Transaction) -> DerivedChange? {
    lock.withLock { state.change(transaction.number) }
  }

  /// Begins a change for the observer that was registered last, with its position among those of the key.
  ///
  /// - `begun`: The change for the observers that were there before.
  fileprivate func beginForLateObservers(
    of begun: DerivedChange
  ) -> (DerivedChange, position: Int32)? {
    guard let begun = begun.delivery, let change = beginChange(with: begun) else { return nil }
    pin(change)
    guard let delivery = change.delivery else { return nil }
    // The observers are registered one by one.
    let position = delivery.pointee.snapshot.observerCount - 1
    delivery.pointee.snapshot.leaveOut(observers: position)
    // The transaction may have changed what it is computed from. From now on, changes of that concern it.
    change.old = evaluate()
    return (change, position)
  }

  /// Whether a key is an input.
  fileprivate func isComputed(from observedKey: ObservedKey) -> Bool {
    lock.withLock { state.links.contains { $0.lastKeyIdentity == observedKey.identity } }
  }
}
