extension ParsedKeyPath {
  /// The value at the path.
  ///
  /// Everything is read through `value(forKey:)`, and so through the getters of the properties.
  /// Whoever records reads meanwhile learns of all that the value depends on.
  func value(from subject: any KeyValueObservable) throws(KeyValueCodingError) -> Any? {
    try value(at: 0, of: subject).map(Members.toStandardLibrary)
  }

  /// What the components from `first` on lead to, nil where a link is nil.
  private func value(at first: Int, of start: Any?) throws(KeyValueCodingError) -> Any? {
    var current = start
    for index in first..<components.count {
      guard let value = current else { return nil }
      switch components[index] {
      case .key(let key): current = try self.value(forKey: key, at: index, of: value)
      case .collectionOperator(let found): return try apply(found, at: index, to: value)
      }
    }
    return current
  }

  private func value(
    forKey key: String, at index: Int, of value: Any
  ) throws(KeyValueCodingError) -> Any? {
    if let object = value as? any KeyValueObservable { return try object.value(forKey: key) }
    if let members = Members(value) {
      var values: [Any?] = []
      values.reserveCapacity(members.values.count)
      for case let member in members.values {
        if let member {
          values.append(try self.value(forKey: key, at: index, of: member))
        } else {
          values.append(nil)
        }
      }
      return Members(values, as: members.kind)
    }
    if let entries = value as? any KeyedCollection { return entries.value(forKey: key) }
    throw .notObservable(keyPath: text, key: link(before: index), type: type(of: value))
  }

  private func apply(
    _ found: CollectionOperator, at index: Int, to value: Any
  ) throws(KeyValueCodingError) -> Any? {
    if found == .count, let count = Members.count(of: value) { return count }
    guard let members = Members(value) else {
      throw .notACollection(
        type(of: value), at: link(before: index), found, in: text)
    }
    var operands: [Any?] = []
    operands.reserveCapacity(members.values.count)
    for member in members.values { operands.append(try self.value(at: index + 1, of: member)) }
    return try found.result(of: operands, in: text)
  }
}
