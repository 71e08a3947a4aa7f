extension KeyValueObservable {
  /// Asks the object at the end of a key path whether its property may have a value.
  ///
  /// The object behind all keys but the last is asked, on this thread, with
  /// ``validateValue(_:forKey:)``. What has no validator, an entry of a dictionary or a key that the
  /// object does not have, may have every value.
  ///
  /// - Parameters:
  ///   - value: The value to validate.
  ///   - keyPath: Keys, separated by dots. All but the last lead to the object that validates.
  /// - Returns: The value to set, which may be another one than `value`.
  /// - Throws: What the validator throws. ``KeyValueCodingError/nilLink(keyPath:key:)`` where a link
  ///   is nil and ``KeyValueCodingError/notObservable(keyPath:key:type:)`` where the path does not
  ///   lead to one object, since there is nobody to ask; what `value(forKey:)` throws for the links.
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
      if link is any KeyedCollection { return value }
      guard let next = observableObject(link) else {
        throw KeyValueCodingError.notObservable(keyPath: keyPath, key: key, type: type(of: link))
      }
      object = next
    }
    return try object.validateValue(value, forKey: keys[keys.count - 1])
  }

  /// Validates a value and sets the property that a key names to what that returns.
  ///
  /// `setValue(_:forKey:)` does not validate, as in Cocoa.
  ///
  /// - Parameters:
  ///   - value: The value to validate and set.
  ///   - key: The key of a property.
  /// - Throws: What ``validateValue(_:forKey:)`` and `setValue(_:forKey:)` throw. Nothing is changed
  ///   then.
  public func setValidatedValue(_ value: Any?, forKey key: String) throws {
    try setValue(validateValue(value, forKey: key), forKey: key)
  }

  /// Validates a value and sets the property at the end of a key path to what that returns.
  ///
  /// - Parameters:
  ///   - value: The value to validate and set.
  ///   - keyPath: Keys, separated by dots. All but the last lead to the object that validates.
  /// - Throws: What ``validateValue(_:forKeyPath:)`` and ``setValue(_:forKeyPath:)`` throw. Nothing is
  ///   changed then.
  public func setValidatedValue(_ value: Any?, forKeyPath keyPath: String) throws {
    try setValue(validateValue(value, forKeyPath: keyPath), forKeyPath: keyPath)
  }
}
