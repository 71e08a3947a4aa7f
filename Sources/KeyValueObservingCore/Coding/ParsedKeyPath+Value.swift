extension ParsedKeyPath {
  /// The value at the path.
  ///
  /// All values are read through `value(forKey:)`, and so through the getters of the properties;
  /// declared dependencies of a property are followed. An evaluation that records reads therefore
  /// records all dependencies of the value.
  func value(from subject: any KeyValueObservable) throws(KeyValueCodingError) -> Any? {
    try value(at: 0, of: subject, depth: 0).map(Members.toStandardLibrary)
  }

  /// The value that the components from `first` on lead to, from a value on the path.
  func value(from first: Int, of value: Any) throws(KeyValueCodingError) -> Any? {
    try self.value(at: first, of: value, depth: 0).map(Members.toStandardLibrary)
  }

  /// The value that the components from `first` on lead to; nil if an intermediate value is nil.
  private func value(
    at first: Int, of start: Any?, depth: Int
  ) throws(KeyValueCodingError) -> Any? {
    var current = start
    for index in first..<components.count {
      guard let value = current else { return nil }
      switch components[index] {
      case .key(let key): current = try self.value(forKey: key, at: index, of: value, depth: depth)
      case .collectionOperator(let found):
        return try apply(found, at: index, to: value, depth: depth)
      }
    }
    return current
  }

  private func value(
    forKey key: String, at index: Int, of value: Any, depth: Int
  ) throws(KeyValueCodingError) -> Any? {
    if let object = observableObject(value) {
      defer { UnsafeMutablePointer<ReadRecorder>.noteComputed(key, of: object) }
      return try object.value(forKey: key)
    }
    if let members = Members(value) {
      let values = try self.values(forKey: key, at: index, of: members, depth: depth)
      return Members(values, as: members.kind)
    }
    if let entries = stringKeyed(value) { return entries.value(forKey: key) }
    throw .notObservable(keyPath: text, key: link(before: index), type: type(of: value))
  }

  private func apply(
    _ found: CollectionOperator, at index: Int, to value: Any, depth: Int
  ) throws(KeyValueCodingError) -> Any? {
    if found == .count, let count = Members.count(of: value) { return count }
    let operand = components.dropFirst(index + 1)
    if operand.count == 1, case .key(let key) = operand.first, depth < ParsedKeyPath.depthLimit,
      let result = try found.result(ofKey: key, in: value, at: text)
    {
      return result
    }
    guard let members = Members(value) else {
      throw .notACollection(type(of: value), at: source(before: index), found, in: text)
    }
    if index == components.count - 2, case .key(let key) = components[index + 1] {
      return try found.result(
        of: values(forKey: key, at: index + 1, of: members, depth: depth), in: text)
    }
    try checkDepth(depth)
    var operands: [Any?] = []
    operands.reserveCapacity(members.values.count)
    for member in members.values {
      operands.append(try self.value(at: index + 1, of: member, depth: depth + 1))
    }
    return try found.result(of: operands, in: text)
  }

  /// The values of a key of each member.
  private func values(
    forKey key: String, at index: Int, of members: Members, depth: Int
  ) throws(KeyValueCodingError) -> [Any?] {
    try checkDepth(depth)
    var values: [Any?] = []
    values.reserveCapacity(members.values.count)
    var known: MemberProperty?
    for member in members.values {
      guard let member else {
        values.append(nil)
        continue
      }
      if let value = known?.value(of: member) {
        values.append(value)
        continue
      }
      values.append(try value(forKey: key, at: index, of: member, depth: depth + 1))
      known = MemberProperty(key, of: member)
    }
    return values
  }

  /// Objects may lead to each other in a circle, so that a long path nests without end.
  ///
  /// It must not overflow the stack.
  func checkDepth(_ depth: Int) throws(KeyValueCodingError) {
    if depth >= ParsedKeyPath.depthLimit {
      throw .tooDeep(in: text, limit: ParsedKeyPath.depthLimit)
    }
  }

  static var depthLimit: Int { 64 }
}
