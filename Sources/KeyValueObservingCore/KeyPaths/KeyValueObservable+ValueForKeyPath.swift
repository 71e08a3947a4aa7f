extension KeyValueObservable {
  /// Returns the value at a key path, nil if an intermediate object is nil.
  ///
  /// Each key is read on this thread, one after the other. A path may run through observable
  /// objects, dictionaries with strings as keys, where a missing key is nil, and collections: a key
  /// of an array is an array with the values of its members, in their order, with nil where a member
  /// or its value is nil; a key of a set is a set without nil. It may hold collection operators, as
  /// in `items.@sum.price`: the guide "Key-value coding" lists them. `self` stands for the object
  /// itself.
  ///
  /// - Parameter keyPath: Keys, separated by dots.
  /// - Returns: The value, never doubly wrapped.
  /// - Throws: The errors of `value(forKey:)`, ``KeyValueCodingError/invalidKeyPath(_:reason:)``
  ///   for a malformed path and for an operator that is unknown or not behind a collection,
  ///   ``KeyValueCodingError/notObservable(keyPath:key:type:)`` where a value has no keys,
  ///   ``KeyValueCodingError/invalidOperand(keyPath:reason:)`` where an operator cannot take a
  ///   value.
  ///
  /// - Complexity: O(*n*) for *n* keys, times the members of the collections that it runs through.
  public func value(forKeyPath keyPath: String) throws(KeyValueCodingError) -> Any? {
    let table = PropertyTable.of(type(of: self))
    let known = table.stringPaths.find(keyPath)
    let parsed: ParsedKeyPath
    if let string = known?.string { parsed = string } else { parsed = try ParsedKeyPath(keyPath) }
    // It is evaluated where it does not lead through the classes that its keys declare.
    guard let plan = known ?? table.plan(of: parsed, in: keyPath), plan.isDeclared,
      !KeyValueRegistrar.isTracking, let value = plan.erasedValue(from: self)
    else { return try parsed.value(from: self) }
    return value
  }
}
