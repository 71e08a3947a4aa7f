/// Observers of a computed key that are registered in a transaction after one of its inputs has changed.
final class LateObserversOfComputedKey: LateObservers {
  private let key: ComputedKey
  private let change: DerivedChange
  private let position: Int32
  /// The inputs of the value that the observers have found.
  private let inputs: [ObservedKeyIdentity?]
  /// The changes of the key and its inputs since, one of each in each transaction.
  private var changes: [Change] = []
  /// Whether dependents have captured their old values.
  private var hasCaptured = false
  /// The observers to which no prior notification was sent, which a change follows (P47); nil if none was sent at all.
  private var observersWithoutPrior: Set<ObserverIdentity>?

  private struct Change {
    let key: ObservedKeyIdentity
    /// How many transactions are around the one that has made it, and that one; 0 for one that is delivered in any case.
    var depth: Int
    /// The observers in whose names it was made.
    var excluded: Set<ObserverIdentity>
  }

  private init(
    of key: ComputedKey, _ change: DerivedChange, at position: Int32, since step: Int
  ) {
    self.key = key
    self.change = change
    self.position = position
    inputs = key.lastKeyIdentities
    super.init(since: step)
    key.ownKey.withLock { key.ownKey.state.addIndexKeeper() }
  }

  /// Notes that an observer was registered, if the thread is in a transaction that has changed an input, or set one
  /// whose setter does not notify (P20).
  static func noteRegistration(at key: ComputedKey?) {
    guard let key, let transaction = Transaction.current else { return }
    let begun = key.change(in: transaction)
    guard
      let delivery = begun == nil
        ? key.numberUnannouncedChange(in: transaction) : begun.flatMap({ $0.delivery }),
      let (change, position) = key.beginForLateObservers(of: delivery)
    else { return }
    let observers = LateObserversOfComputedKey(
      of: key, change, at: position, since: transaction.stepCount)
    begun?.part?.lateObservers.append(observers)
    transaction.append(late: observers)
    key.addLate(change)
  }

  override func keyWillChange(
    _ observedKey: ObservedKey, depth: Int, excluding others: Set<ObserverIdentity>,
    sendsPriors: Bool
  ) {
    guard observedKey === key.ownKey || key.isComputed(from: observedKey.identity) else { return }
    if depth > 0 { add(Change(key: observedKey.identity, depth: depth, excluded: others)) }
    guard !hasCaptured, let delivery = change.delivery else { return }
    hasCaptured = true
    if sendsPriors, delivery.requires(.prior) {
      observersWithoutPrior = others
      ThreadState.current.withExclusion(of: others, by: delivery) {
        delivery.callAllPriors(from: change.old)
      }
    }
    delivery.run(.capture)
  }

  override func keyWasRestored(_ restored: ObservedKeyIdentity) {
    // The transaction may have led the key to other inputs.
    guard
      restored == key.ownKey.identity || key.isComputed(from: restored)
        || inputs.contains(restored)
    else { return }
    add(Change(key: restored, depth: 0, excluded: []))
  }

  // The notification behind the transaction starts from the value that the observers before them have received, and
  // leaves these out (P54).
  override func targetWasDeallocated(of property: ObservedKeyIdentity, depth: Int) {
    guard key.isComputed(from: property) else { return }
    add(Change(key: property, depth: depth, excluded: []))
  }

  /// Adds a change to those of its key in its transaction.
  private func add(_ change: Change) {
    let index = changes.firstIndex { $0.key == change.key && $0.depth == change.depth }
    guard let index else { return changes.append(change) }
    changes[index].excluded.formIntersection(change.excluded)
  }

  override func merge(into depth: Int) {
    for change in remove(from: depth + 1) {
      add(Change(key: change.key, depth: depth, excluded: change.excluded))
    }
  }

  override func takeBack(from depth: Int, except unrestored: Transaction.UnrestoredKeys) {
    for change in remove(from: depth) {
      guard let outer = unrestored[change.key] else { continue }
      add(Change(key: change.key, depth: outer, excluded: change.excluded))
    }
  }

  /// Removes the changes in transactions from a depth on.
  private func remove(from depth: Int) -> [Change] {
    let removed = changes.filter { $0.depth >= depth }
    if !removed.isEmpty { changes.removeAll { $0.depth >= depth } }
    return removed
  }

  /// The observers in whose names the key was changed since; nil if it has not.
  private var excluded: Set<ObserverIdentity>? {
    guard var excluded = observersWithoutPrior ?? changes.first?.excluded else { return nil }
    for change in changes { excluded.formIntersection(change.excluded) }
    return excluded
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
    delivery.pointee.noteMade()
    if delivery.requires(.new) { change.new = new }
    ThreadState.current.withExclusion(of: excluded, by: delivery) { delivery.run(.settle) }
  }

  /// Leaves those that were registered before the first change of an input was announced, or before an object was
  /// deallocated, to themselves, since they have found other values than the observers from before.
  static func leaveOut(of change: DerivedChange, at key: ComputedKey) {
    guard let transaction = Transaction.current else { return }
    for observers in transaction.lateObservers {
      guard let observers = observers as? LateObserversOfComputedKey, observers.key === key else {
        continue
      }
      change.delivery?.pointee.snapshot.leaveOut(observersFrom: observers.position)
      change.part?.lateObservers.append(observers)
    }
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
    key.ownKey.withLock { key.ownKey.state.removeIndexKeeper() }
    if change.delivery == nil { return }
    key.removeLate(change)
    key.notifyObservers(of: change, inTransactionBehind: nil)
  }
}

extension ComputedKey {
  /// The change that a transaction makes, if it has changed an input.
  fileprivate func change(in transaction: Transaction) -> DerivedChange? {
    lock.withLock { state.change(transaction.number) }
  }

  /// Begins a change for the observer that was registered last, with its position among those of the key.
  ///
  /// - `begun`: The change for the observers that were there before, or that of an input.
  fileprivate func beginForLateObservers(
    of begun: UnsafeMutablePointer<Delivery>
  ) -> (DerivedChange, position: Int32)? {
    guard let change = beginChange(with: begun) else { return nil }
    pin(change)
    guard let delivery = change.delivery else { return nil }
    // The observers are registered one by one.
    let position = delivery.pointee.snapshot.observerCount - 1
    delivery.pointee.snapshot.leaveOut(observers: position)
    // The transaction may have changed what it is computed from. From now on, changes of that concern it.
    change.old = evaluate()
    return (change, position)
  }

  /// Gives the change of an input that was set without a notification, and is notified manually later, if at all, the
  /// number of the transaction, so that a change of this key can begin with it.
  ///
  /// Returns its delivery; nil if there is none.
  fileprivate func numberUnannouncedChange(
    in transaction: Transaction
  ) -> UnsafeMutablePointer<Delivery>? {
    for link in lock.withLock({ state.links }) {
      guard let input = link.observedKey, input.isManual,
        let pending = transaction.pendingKey(at: input), !pending.isPrepared
      else { continue }
      pending.first.delivery.pointee.number = transaction.number
      return pending.first.delivery
    }
    return nil
  }

  /// Whether a key is an input.
  fileprivate func isComputed(from key: ObservedKeyIdentity) -> Bool {
    lock.withLock { state.links.contains { $0.lastKeyIdentity == key } }
  }
}
