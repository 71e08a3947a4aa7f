/// The state of one key that is or was observed in a source.
///
/// The lock of the `PendingChanges` that keep it guards it.
final class TrackedValue: @unchecked Sendable {
  let entry: ModelEntry
  var isObserved = false
  /// Whether the module `Observation` will report the next change.
  ///
  /// There is no way to end that, so it may outlast the observers.
  var isTracked = false
  /// Whether a change was reported that is to be delivered.
  var isChanged = false
  /// Whether such a change was reported on another thread than the actor's, which may not have made it yet.
  var isReportedElsewhere = false
  /// Whether a change was ever reported on another thread, so that a report may be missing.
  var isChangedElsewhere = false
  /// Whether the value is to be looked at again.
  var isToBeChecked = false
  /// The value that was delivered last, or the one that the key had when it became observed.
  var delivered: Any?

  init(_ entry: ModelEntry) {
    self.entry = entry
  }
}

/// Whether two values of one type are equal; nil where they cannot be compared.
func areEqual(_ left: Any?, _ right: Any?) -> Bool? {
  guard let left, let right else { return left == nil && right == nil }
  func isEqual<Value: Equatable>(to value: Value) -> Bool? { (right as? Value).map { $0 == value } }
  return (left as? any Equatable).flatMap { isEqual(to: $0) }
}
