extension KeyValueObservable {
  /// Returns a proxy for the array property that a key names.
  ///
  /// The proxy does what that of ``mutableArrayValue(for:)`` does, for observers by string and by
  /// typed key path alike; the values that they receive are of the property's own type. Its
  /// elements are `Any?`, without optional layers. Inserted values are converted as
  /// `setValue(_:forKey:)` converts, without loss; a mutation with an element that the property
  /// cannot hold changes nothing, and a diagnostic is reported. If the property is nil, the proxy
  /// is empty, and its first insertion creates the array (P35).
  ///
  /// - Parameter key: The key of an array, of an optional array, or of a property of type `Any?`,
  ///   as the keys of a ``KeyValueDictionary`` are, that holds an array or nil.
  /// - Returns: A proxy for the array.
  /// - Throws: ``KeyValueCodingError/undefinedKey(_:type:suggestion:)``, without calling the hooks
  ///   of the class; ``KeyValueCodingError/readOnly(type:key:)``; and
  ///   ``KeyValueCodingError/typeMismatch(type:key:expected:actual:value:)`` if the property is no
  ///   array. Cocoa's `mutableArrayValueForKey:` raises at the first mutation only.
  ///
  /// - Complexity: O(1). Reading all elements at once (iterating, `map`) converts each. A mutation
  ///   takes time in proportion to the elements that it moves or changes, if the property is
  ///   declared as an array or is a key of a ``KeyValueDictionary``; otherwise it copies the array.
  public func mutableArrayValue(
    forKey key: String
  ) throws(KeyValueCodingError) -> KeyValueMutableArray<Any?> {
    try KeyValueMutableArray(forKey: key, of: self)
  }

  /// Returns a proxy for the array property at the end of a key path.
  ///
  /// Everything is as for ``mutableArrayValue(forKey:)``. The proxy belongs to the object that is
  /// at the end of the path when it is made.
  ///
  /// - Parameter keyPath: Keys that lead through observable objects to the property.
  /// - Returns: A proxy for the array.
  /// - Throws: The errors of ``mutableArrayValue(forKey:)``; those of `value(forKey:)` for the keys
  ///   before the last; ``KeyValueCodingError/nilLink(keyPath:key:)`` if an intermediate object is
  ///   nil, where Cocoa returns nil; and ``KeyValueCodingError/invalidKeyPath(_:reason:)`` for a
  ///   malformed path, for an operator, and if an intermediate value is no object but, for example,
  ///   a collection.
  ///
  /// - Complexity: O(*n*) for *n* keys.
  public func mutableArrayValue(
    forKeyPath keyPath: String
  ) throws(KeyValueCodingError) -> KeyValueMutableArray<Any?> {
    let (owner, key) = try ParsedKeyPath(keyPath).proxyTarget(from: self)
    return try KeyValueMutableArray(forKey: key, of: owner)
  }

  /// Returns a proxy for the set property that a key names.
  ///
  /// The proxy does what that of ``mutableSetValue(for:)`` does. Its members are `AnyHashable`.
  /// Everything else is as for ``mutableArrayValue(forKey:)``.
  ///
  /// - Parameter key: The key of a set, of an optional set, or of a property of type `Any?` that
  ///   holds a set or nil.
  /// - Returns: A proxy for the set.
  /// - Throws: The errors of ``mutableArrayValue(forKey:)``.
  ///
  /// - Complexity: O(1). Reading all members converts each once; adding, removing and looking for a
  ///   member do not.
  public func mutableSetValue(
    forKey key: String
  ) throws(KeyValueCodingError) -> KeyValueMutableSet<AnyHashable> {
    try KeyValueMutableSet(forKey: key, of: self)
  }

  /// Returns a proxy for the set property at the end of a key path.
  ///
  /// Everything is as with ``mutableSetValue(forKey:)`` and ``mutableArrayValue(forKeyPath:)``.
  ///
  /// - Parameter keyPath: Keys, separated by dots.
  /// - Returns: A proxy for the set.
  /// - Throws: The errors of ``mutableArrayValue(forKeyPath:)``.
  public func mutableSetValue(
    forKeyPath keyPath: String
  ) throws(KeyValueCodingError) -> KeyValueMutableSet<AnyHashable> {
    let (owner, key) = try ParsedKeyPath(keyPath).proxyTarget(from: self)
    return try KeyValueMutableSet(forKey: key, of: owner)
  }
}

// MARK: Making them

extension KeyValueMutableArray<Any?> {
  fileprivate init(
    forKey key: String, of owner: some KeyValueObservable
  ) throws(KeyValueCodingError) {
    let target = try ProxyTarget(key, of: owner, holding: [Any?].self)
    if target.holdsAnything {
      self.init(AnyArrayEditing<Any?>(target.access(in: .anything(empty: [])), of: target).access)
    } else if let type = target.collectionType as? any ArrayType.Type {
      self = type.proxy(for: target)
    } else {
      throw target.mismatch(with: [Any?].self)
    }
  }
}

extension KeyValueMutableSet<AnyHashable> {
  fileprivate init(
    forKey key: String, of owner: some KeyValueObservable
  ) throws(KeyValueCodingError) {
    let target = try ProxyTarget(key, of: owner, holding: Set<AnyHashable>.self)
    if target.holdsAnything {
      self.init(AnySetEditing<AnyHashable>(target.access(in: .anything(empty: [])), of: target))
    } else if let type = target.collectionType as? any SetType.Type {
      self = type.proxy(for: target)
    } else {
      throw target.mismatch(with: Set<AnyHashable>.self)
    }
  }
}

/// An array of elements whose type only run time knows.
private protocol ArrayType {
  static func proxy(for target: ProxyTarget) -> KeyValueMutableArray<Any?>
}

extension Array: ArrayType {
  fileprivate static func proxy(for target: ProxyTarget) -> KeyValueMutableArray<Any?> {
    KeyValueMutableArray(AnyArrayEditing<Element>(target.access(empty: []), of: target).access)
  }
}

/// A set of members whose type only run time knows.
private protocol SetType {
  static func proxy(for target: ProxyTarget) -> KeyValueMutableSet<AnyHashable>
}

extension Set: SetType {
  fileprivate static func proxy(for target: ProxyTarget) -> KeyValueMutableSet<AnyHashable> {
    KeyValueMutableSet(AnySetEditing<Element>(target.access(empty: []), of: target))
  }
}

extension ParsedKeyPath {
  /// The object that has the last key, and that key.
  fileprivate func proxyTarget(
    from subject: any KeyValueObservable
  ) throws(KeyValueCodingError) -> (owner: any KeyValueObservable, key: String) {
    if let found = firstOperator { throw .result(of: found, in: text) }
    guard let last = keys.last else { throw .noProperty(in: text) }
    var owner = subject
    for key in keys.dropLast() {
      guard let link = try owner.value(forKey: key) else {
        throw .nilLink(keyPath: text, key: key)
      }
      guard let next = observableObject(link) else {
        throw .notAnObject(type(of: link), at: key, in: text)
      }
      owner = next
    }
    return (owner, last)
  }
}
