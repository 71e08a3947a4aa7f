/// Observers that are registered in a transaction after what they observe has changed in it.
///
/// They start from the value that they have found (P53), so they receive a change of their own if the value
/// has changed since.
class LateObservers {
  /// Notes that a key changes, or gets a former value back.
  ///
  /// - `others`: The observers in whose names it changes.
  /// - `sendsPriors`: Whether prior notifications are sent.
  func keyWillChange(
    _ observedKey: ObservedKey, excluding others: Set<ObserverIdentity>, sendsPriors: Bool
  ) {}
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
