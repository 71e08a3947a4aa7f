extension KeyValueObservable {
  /// Validates a value for the property at the end of a key path.
  ///
  /// The object that all keys but the last lead to is asked, on this thread, with
  /// ``validateValue(_:forKey:)``. An entry of a dictionary, or a key that the object does not
  /// have, has no validator and may have every value.
  ///
  /// - Parameters:
  ///   - value: The value to validate.
  ///   - keyPath: Keys, separated by dots. All but the last lead to the object that validates.
  /// - Returns: The value to set, which may be another one than `value`.
  /// - Throws: The error of the validator; ``KeyValueCodingError/nilLink(keyPath:key:)`` if an
  ///   intermediate object is nil; ``KeyValueCodingError/notObservable(keyPath:key:type:)`` if the
  ///   path does not lead to a single object; and the errors of `value(forKey:)` for the
  ///   intermediate objects.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public func validateValue(_ value: Any?, forKeyPath keyPath: String) throws -> Any? {
    let path = try ParsedKeyPath(keyPath)
    try path.checkCanBeSet()
    let keys = path.keys
    var object: any KeyValueObservable = self
    for key in keys.dropLast() {
      guard let link = try object.value(forKey: key) else {
        throw KeyValueCodingError.nilLink(keyPath: keyPath, key: key)
      }
      if stringKeyed(link) != nil { return value }
      guard let next = observableObject(link) else {
        throw KeyValueCodingError.notObservable(keyPath: keyPath, key: key, type: type(of: link))
      }
      object = next
    }
    return try object.validateValue(value, forKey: keys[keys.count - 1])
  }

  /// Validates a value, and sets the property that a key names to the validated value.
  ///
  /// `setValue(_:forKey:)` does not validate, as in Cocoa.
  ///
  /// - Parameters:
  ///   - value: The value to validate and set.
  ///   - key: The key of a property.
  /// - Throws: The errors of ``validateValue(_:forKey:)`` and `setValue(_:forKey:)`. Nothing is
  ///   changed then.
  public func setValidatedValue(_ value: Any?, forKey key: String) throws {
    try setValue(validateValue(value, forKey: key), forKey: key)
  }

  /// Validates a value, and sets the property at the end of a key path to the validated value.
  ///
  /// - Parameters:
  ///   - value: The value to validate and set.
  ///   - keyPath: Keys, separated by dots. All but the last lead to the object that validates.
  /// - Throws: The errors of ``validateValue(_:forKeyPath:)`` and ``setValue(_:forKeyPath:)``.
  ///   Nothing is changed then.
  public func setValidatedValue(_ value: Any?, forKeyPath keyPath: String) throws {
    try setValue(validateValue(value, forKeyPath: keyPath), forKeyPath: keyPath)
  }
}
