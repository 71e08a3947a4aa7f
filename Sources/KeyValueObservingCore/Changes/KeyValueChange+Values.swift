extension KeyValueChange {
  /// Returns the same change of values of another type.
  @inlinable
  package func mapValues<Other>(_ transform: (Value) -> Other) -> KeyValueChange<Other> {
    var change = KeyValueChange<Other>(
      newValue: newValue.map(transform), oldValue: oldValue.map(transform))
    change.edit = edit
    change.traits = traits
    return change
  }

  /// The value after the change, if there is one, where that was requested.
  ///
  /// - `current`: Reads the value. A change of some elements holds no others.
  @inlinable
  package func wholeValue(_ current: @autoclosure () -> Value?) -> Value? {
    kind == .setting ? newValue : current()
  }
}
