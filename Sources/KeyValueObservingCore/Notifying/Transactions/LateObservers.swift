/// Observers that are registered in a transaction after what they observe has changed in it.
///
/// They start from the value that they have found (P53), so they receive a change of their own if the value
/// has changed since.
class LateObservers {
  /// The step of the transaction after which they were registered.
  let step: Int

  init(since step: Int) { self.step = step }

  /// Notes that a key changes, or may get a value back from before they were registered.
  ///
  /// - `depth`: How many transactions are around the one that changes it, and that one; 0 if the value is about to be
  ///   put back.
  /// - `others`: The observers in whose names it changes.
  /// - `sendsPriors`: Whether prior notifications are sent.
  func keyWillChange(
    _ observedKey: ObservedKey, depth: Int, excluding others: Set<ObserverIdentity>,
    sendsPriors: Bool
  ) {}
  /// Notes that a key has got a value back from before they were registered.
  func keyWasRestored(_ key: ObservedKeyIdentity) {}
  /// Notes that the object in a weak property was deallocated, in a transaction with a depth.
  func targetWasDeallocated(of key: ObservedKeyIdentity, depth: Int) {}
  /// Makes the changes of the transactions inside of a depth a part of the one at that.
  func merge(into depth: Int) {}
  /// Forgets the changes from a depth on, which were put back but those of some keys.
  func takeBack(from depth: Int, except unrestored: Transaction.UnrestoredKeys) {}
  /// Notes that a transaction was rolled back in which they may have attached to other keys.
  func valuesWereRestored() {}
  /// Evaluates what they observe at the end of the transaction.
  func settle() {}
  /// The position of the first of them among the observers of a key; nil if they do not observe that.
  func position(at observedKey: Unmanaged<ObservedKey>) -> Int32? { nil }
  /// Calls them, unless their change was left to that of the observers before them.
  func deliver() {}
}

extension Transaction {
  /// The position from which on the observers of a key receive a change of their own at the end, which begins with
  /// the value that each of them has found.
  func positionOfLateObservers(at observedKey: Unmanaged<ObservedKey>) -> Int32 {
    if lateObservers.isEmpty { return .max }
    return lateObservers.lazy.compactMap { $0.position(at: observedKey) }.first ?? .max
  }
}
