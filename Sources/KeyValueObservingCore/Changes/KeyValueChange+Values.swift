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
}
