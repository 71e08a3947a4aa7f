extension KeyValueObservable {
  /// Returns the values of several keys, with nil for those whose value is nil.
  ///
  /// They are read on this thread, in the order given. The keys are keys, not key paths, as with
  /// Cocoa's `dictionaryWithValuesForKeys:`.
  ///
  /// - Parameter keys: The keys of the values to read.
  /// - Returns: The values, by key.
  /// - Throws: The errors of `value(forKey:)`, for the first key that cannot be read.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public func dictionaryWithValues(
    forKeys keys: [String]
  ) throws(KeyValueCodingError) -> [String: Any?] {
    var values: [String: Any?] = [:]
    values.reserveCapacity(keys.count)
    for key in keys { values.updateValue(try value(forKey: key), forKey: key) }
    return values
  }

  /// Sets several properties, all or none, and notifies the observers of each once.
  ///
  /// Guarantee: P43.
  ///
  /// All values are converted before the first property is set, so a call that throws has set
  /// nothing (**better** than Cocoa's `setValuesForKeysWithDictionary:`). Then the properties are
  /// set one after the other, in the order of their keys, on this thread; an observer of the first
  /// finds the second still unchanged. The keys are keys, not key paths.
  ///
  /// The hooks of the class, ``setNilValueForKey(_:)`` and ``setValue(_:forUndefinedKey:)``, are
  /// called before any property is set. If one of them throws, the values that hooks before it have
  /// set are restored, provided that the class can return them.
  ///
  /// - Parameter values: The values to set, by key. Nil sets nil.
  /// - Throws: The errors of `setValue(_:forKey:)`, for one of the keys that cannot be set.
  ///
  /// - Complexity: O(*n* log *n*) for *n* keys.
  public func setValues(_ values: [String: Any?]) throws(KeyValueCodingError) {
    var writes = PendingWrites()
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      try writes.add(value, forKey: key, of: self)
    }
    try writes.perform()
  }
}
