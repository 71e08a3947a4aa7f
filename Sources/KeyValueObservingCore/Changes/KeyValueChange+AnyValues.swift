// The values of every change, copied as the `Any` in them is: the compiler would copy them by way of their types'
// metadata, which takes four times as long (row: string key).
extension KeyValueChange where Value == Any? {
  /// The value after the change, as ``newValue`` of every change.
  @_documentation(visibility: internal)
  public var newValue: Any?? {
    get { RuntimeLayout.copy(ofOptional: storedNewValue) }
    _modify { yield &storedNewValue }
  }

  /// The value before the change, as ``oldValue`` of every change.
  @_documentation(visibility: internal)
  public var oldValue: Any?? {
    get { RuntimeLayout.copy(ofOptional: storedOldValue) }
    _modify { yield &storedOldValue }
  }

  /// Whether a value is an optional in itself.
  var holdsOptionals: Bool {
    RuntimeLayout.isOptional(storedNewValue) || RuntimeLayout.isOptional(storedOldValue)
  }
}
