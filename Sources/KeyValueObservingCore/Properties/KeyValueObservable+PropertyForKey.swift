extension KeyValueObservable {
  /// The property that a string names.
  func accessibleProperty(forKey key: String) throws(KeyValueCodingError) -> KeyValueProperty {
    guard let property = keyValueProperty(forKey: key), !property.isPrivate else {
      throw undefinedKey(key)
    }
    return property
  }

  /// The property that a string names, unless it is write-only.
  func readableProperty(forKey key: String) throws(KeyValueCodingError) -> KeyValueProperty {
    let property = try accessibleProperty(forKey: key)
    if property.isWriteOnly { throw .writeOnly(type: type(of: self), key: key) }
    return property
  }

  func undefinedKey(_ key: String) -> KeyValueCodingError {
    PropertyTable.of(type(of: self))
      .undefinedKey(key, among: Self.hasDynamicKeys ? dynamicKeys : [])
  }
}

extension PropertyTable {
  func accessibleProperty(forKey key: String) throws(KeyValueCodingError) -> KeyValueProperty {
    guard let property = property(named: key), !property.isPrivate else {
      throw undefinedKey(key)
    }
    return property
  }

  /// - `dynamicKeys`: The keys that an object has beside those of its class.
  func undefinedKey(_ key: String, among dynamicKeys: [String] = []) -> KeyValueCodingError {
    let keys = properties.filter { !$0.isPrivate }.map(\.key) + dynamicKeys
    return .undefinedKey(key, type: type, suggestion: nearest(to: key, among: keys))
  }
}
