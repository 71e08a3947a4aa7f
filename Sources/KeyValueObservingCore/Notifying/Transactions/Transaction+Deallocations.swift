// Weak properties whose objects are deallocated in the transaction (P54).
extension Transaction {
  /// The deallocations of objects in one weak property.
  struct DeallocatedTargets {
    /// The change of the property, begun with the last of them, but for those that getters have released.
    let change: TargetDeallocation
    /// How many there were, without those that a rollback has taken out of the property.
    var count: Int
  }

  /// Notifies at the end that the object in a weak property was deallocated.
  ///
  /// If all its observers receive a change of it at the end, none is notified of this one as well: the new value of the
  /// change is read after it.
  ///
  /// - `step`: How many steps came before it.
  func append(_ change: TargetDeallocation, at step: Int) {
    let key = change.key.identity
    if keepsFormerValues { addLostTarget(of: change.key, at: step) }
    for observers in lateObservers where observers.step <= step {
      observers.targetWasDeallocated(of: key, depth: depth)
    }
    let former = deallocatedTargets[key]
    // A getter that is being evaluated takes no part in what it releases, but its key does at the end.
    let isBegun = ThreadState.current.pointee.computation == nil
    let latest = isBegun ? change : former?.change ?? change
    deallocatedTargets[key] = DeallocatedTargets(change: latest, count: (former?.count ?? 0) + 1)
    if isBegun { change.begin() }
    if let former {
      if isBegun { former.change.abandon() }
      return
    }
    whenDelivered { [self] in
      guard let change = deallocatedTargets[key]?.change else { return }
      if awaitsDeallocation(of: key), !keysWithAllNotified.contains(key) {
        change.deliver()
      } else {
        change.abandon()
      }
    }
  }

  /// Whether a notification is awaited that the object in a weak property was deallocated.
  func awaitsDeallocation(of key: ObservedKeyIdentity?) -> Bool {
    if deallocatedTargets.isEmpty { return false }
    return key.flatMap { deallocatedTargets[$0] }?.count ?? 0 > 0
  }

  /// Whether an observed key is a weak property whose object was deallocated.
  var hasDeallocatedTargets: Bool { !deallocatedTargets.isEmpty }
}
