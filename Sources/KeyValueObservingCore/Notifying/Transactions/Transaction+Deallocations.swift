// Weak properties whose objects are deallocated in the transaction (P54).
extension Transaction {
  /// Notifies at the end that an object was deallocated.
  ///
  /// - `key`: The weak property that held it, if there is one. If all its observers receive a change of it at the end,
  ///   none is notified of this one as well: the new value of the change is read after it.
  /// - `step`: How many steps came before it; nil if it is now.
  func append(
    deallocationOf key: ObservedKey?, at step: Int? = nil, _ notify: @escaping () -> Void
  ) {
    guard let key else { return whenDelivered(notify) }
    let (identity, step) = (key.identity, step ?? stepCount)
    if keepsFormerValues { addLostTarget(of: key, at: step) }
    for observers in lateObservers where observers.step <= step {
      observers.targetWasDeallocated(of: identity, depth: depth)
    }
    let count = deallocatedTargetCounts[identity]
    deallocatedTargetCounts[identity] = (count ?? 0) + 1
    if count != nil { return }
    // The key is kept, so that its identity is that of no other one.
    whenDelivered { [self, key] in
      if awaitsDeallocation(of: identity), !hasNotifiedAll(of: identity) { notify() }
      extendLifetime(key)
    }
  }

  /// Whether a notification is awaited that the object in a weak property was deallocated.
  func awaitsDeallocation(of key: ObservedKeyIdentity?) -> Bool {
    if deallocatedTargetCounts.isEmpty { return false }
    return key.flatMap { deallocatedTargetCounts[$0] } ?? 0 > 0
  }

  /// Whether an observed key is a weak property whose object was deallocated.
  var hasDeallocatedTargets: Bool { !deallocatedTargetCounts.isEmpty }

  /// Whether a change of a key was delivered to all who observed it then.
  private func hasNotifiedAll(of key: ObservedKeyIdentity) -> Bool {
    let keys =
      keysWithAllNotified
      ?? {
        var keys: Set<ObservedKeyIdentity> = []
        forEachKey { if $0.notifiesAll { keys.insert($0.identity) } }
        return keys
      }()
    keysWithAllNotified = keys
    return keys.contains(key)
  }
}
