extension KeyValueObservable {
  /// Returns the value of the property that a key names, without optional layers.
  ///
  /// Complexity: O(1).
  ///
  /// - Throws: ``KeyValueCodingError/undefinedKey(_:type:suggestion:)``.
  public func value(forKey key: String) throws(KeyValueCodingError) -> Any? {
    try accessibleProperty(forKey: key).value(of: self)
  }

  /// Returns the value at a key path, nil where a link is nil.
  ///
  /// Complexity: O(*n*) for *n* keys.
  ///
  /// - Throws: ``KeyValueCodingError/undefinedKey(_:type:suggestion:)``,
  ///   ``KeyValueCodingError/invalidKeyPath(_:reason:)``,
  ///   ``KeyValueCodingError/notObservable(keyPath:key:type:)``.
  public func value(forKeyPath keyPath: String) throws(KeyValueCodingError) -> Any? {
    let path = try StringPath(keyPath)
    guard let (object, key) = try end(of: path) else { return nil }
    return try object.value(forKey: key)
  }

  /// Sets the property that a key names, and tells its observers once, like its setter (P43).
  ///
  /// Numbers are converted where nothing is lost.
  ///
  /// - Throws: ``KeyValueCodingError/undefinedKey(_:type:suggestion:)``,
  ///   ``KeyValueCodingError/readOnly(type:key:)``,
  ///   ``KeyValueCodingError/nilForNonOptional(type:key:expected:)``,
  ///   ``KeyValueCodingError/typeMismatch(type:key:expected:actual:value:)``. Nothing is changed
  ///   then.
  public func setValue(_ value: Any?, forKey key: String) throws(KeyValueCodingError) {
    try accessibleProperty(forKey: key).setValue(value, of: self)
  }

  /// Sets the property at the end of a key path, and tells its observers.
  ///
  /// - Throws: What `setValue(_:forKey:)` throws, and
  ///   ``KeyValueCodingError/nilLink(keyPath:key:)`` where a link is nil, since a write that
  ///   vanishes is a loss. Nothing is changed then.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) throws(KeyValueCodingError) {
    let path = try StringPath(keyPath)
    guard let (object, key) = try end(of: path) else {
      throw .nilLink(keyPath: keyPath, key: try nilLink(of: path))
    }
    try object.setValue(value, forKey: key)
  }

  /// The object with the last key of a path, nil where a link is nil.
  private func end(
    of path: StringPath
  ) throws(KeyValueCodingError) -> (any KeyValueObservable, String)? {
    var object: any KeyValueObservable = self
    for key in path.keys.dropLast() {
      guard let value = try object.value(forKey: key) else { return nil }
      guard let next = value as? any KeyValueObservable else {
        throw .notObservable(keyPath: path.text, key: key, type: type(of: value))
      }
      object = next
    }
    return (object, path.keys[path.keys.count - 1])
  }

  private func nilLink(of path: StringPath) throws(KeyValueCodingError) -> String {
    var object: any KeyValueObservable = self
    for key in path.keys {
      guard let next = try object.value(forKey: key) as? any KeyValueObservable else { return key }
      object = next
    }
    return path.text
  }
}
