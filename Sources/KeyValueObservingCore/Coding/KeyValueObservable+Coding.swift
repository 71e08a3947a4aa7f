extension KeyValueObservable {
  /// Returns the value of the property that a key names, without optional layers.
  ///
  /// The property is read through its getter, on this thread. A key that the class does not have is
  /// passed to ``value(forUndefinedKey:)``. The semantics are those of Cocoa's key-value coding for
  /// the properties that the class lists, including private ones; methods are never called.
  ///
  /// - Parameter key: The key of a property.
  /// - Returns: The value, never doubly wrapped.
  /// - Throws: The error of ``value(forUndefinedKey:)``, by default
  ///   ``KeyValueCodingError/undefinedKey(_:type:suggestion:)``; and
  ///   ``KeyValueCodingError/writeOnly(type:key:)``.
  ///
  /// - Complexity: O(1).
  public func value(forKey key: String) throws(KeyValueCodingError) -> Any? {
    guard let property = keyValueProperty(forKey: key), !property.isPrivate else {
      return try value(forUndefinedKey: key)
    }
    if property.isWriteOnly { throw .writeOnly(type: type(of: self), key: key) }
    return property.value(of: self)
  }

  /// Sets the property that a key names, and notifies its observers once, as its setter does.
  ///
  /// Guarantee: P43.
  ///
  /// Values are converted if nothing is lost (P42): numbers to other types of numbers, raw values
  /// to the values that they represent, collections member by member. Values are not validated: see
  /// ``setValidatedValue(_:forKey:)``. Nil for a property that is not optional is passed to
  /// ``setNilValueForKey(_:)``, a key that the class does not have to
  /// ``setValue(_:forUndefinedKey:)``.
  ///
  /// - Parameters:
  ///   - value: The value to set. It is converted if its type is not the property's.
  ///   - key: The key of a property.
  /// - Throws: ``KeyValueCodingError/readOnly(type:key:)``,
  ///   ``KeyValueCodingError/typeMismatch(type:key:expected:actual:value:)``, and the errors of the
  ///   two hooks, by default ``KeyValueCodingError/nilForNonOptional(type:key:expected:)`` and
  ///   ``KeyValueCodingError/undefinedKey(_:type:suggestion:)``. Nothing is changed then.
  ///
  /// - Complexity: O(1), and O(*n*) where a collection of *n* members is converted.
  public func setValue(_ value: Any?, forKey key: String) throws(KeyValueCodingError) {
    guard let property = keyValueProperty(forKey: key), !property.isPrivate else {
      return try setValue(value.flatMap { flatten($0) }, forUndefinedKey: key)
    }
    do {
      try property.setValue(value, of: self)
    } catch .nilForNonOptional {
      try setNilValueForKey(key)
    }
  }

  /// Sets the property at the end of a key path, and notifies its observers.
  ///
  /// After a collection the property of each member is set. A dictionary on the path is a value, so
  /// the property that holds it is set to one with another entry, or without it if `value` is nil.
  /// All values are converted before the first property is set.
  ///
  /// - Parameters:
  ///   - value: The value to set. It is converted if its type is not the property's.
  ///   - keyPath: Keys, separated by dots. All but the last lead to the object to change.
  /// - Throws: The errors of `setValue(_:forKey:)`,
  ///   ``KeyValueCodingError/invalidKeyPath(_:reason:)``,
  ///   ``KeyValueCodingError/notObservable(keyPath:key:type:)``, and
  ///   ``KeyValueCodingError/nilLink(keyPath:key:)`` if an intermediate object is nil, because the
  ///   value would be lost. Nothing is changed then.
  ///
  /// - Complexity: O(*n*) for *n* keys, times the members of the collections that it runs through.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) throws(KeyValueCodingError) {
    let path = try ParsedKeyPath(keyPath)
    try path.checkCanBeSet()
    var writes = PendingWrites()
    try writes.add(value, at: path, from: self)
    try writes.perform()
  }
}
