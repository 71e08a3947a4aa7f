/// Observers that are registered in a transaction after what they observe has changed in it.
///
/// They start from the value that they have found (P53), so they receive a change of their own if the value
/// has changed since.
class LateObservers {
  /// Notes that a key changes, or gets a former value back.
  func keyWillChange(_ observedKey: ObservedKey) {}
  /// Evaluates what they observe at the end of the transaction.
  func settle() {}
  /// Calls them.
  func deliver() {}
}
