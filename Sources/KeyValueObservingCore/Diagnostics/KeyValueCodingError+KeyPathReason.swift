extension KeyValueCodingError {
  /// The reason why a key path is malformed.
  public enum KeyPathReason: Sendable {
    /// The key path is an empty string.
    case empty
    /// A component is empty: two dots follow each other, or a dot is first or last.
    case emptyComponent
    /// The key path is `self` alone, which names no property.
    case noProperty
    /// A typed key path of a binding does not consist of keys: it runs through a structure, a subscript, or an ignored
    /// property.
    case notMadeOfKeys
    /// A proxy was requested through a key whose value is not an object.
    case notAnObject(key: String, type: Any.Type)
    /// The key path runs through more nested collections than `limit`.
    case tooDeep(limit: Int)
    /// There is no such collection operator. `suggestion` is the one with the most similar name, if
    /// there is one.
    case unknownOperator(String, suggestion: String?)
    /// A collection operator that needs a key path after it has none.
    case missingOperand(of: String)
    /// The result of a collection operator was to be set or mutated.
    case result(of: String)
    /// A collection operator follows a key whose value is not a collection, or another operator whose
    /// operands are none: then `key` is that operator.
    case notACollection(key: String, type: Any.Type, operator: String)
  }
}

extension KeyValueCodingError.KeyPathReason: Equatable {
  /// Returns whether two values are equal.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.empty, .empty), (.emptyComponent, .emptyComponent), (.noProperty, .noProperty),
      (.notMadeOfKeys, .notMadeOfKeys):
      true
    case (.notAnObject(let a, let b), .notAnObject(let c, let d)): a == c && b == d
    case (.tooDeep(let a), .tooDeep(let b)): a == b
    case (.unknownOperator(let a, let b), .unknownOperator(let c, let d)): a == c && b == d
    case (.missingOperand(let a), .missingOperand(let b)): a == b
    case (.result(let a), .result(let b)): a == b
    case (.notACollection(let a, let b, let c), .notACollection(let d, let e, let f)):
      a == d && b == e && c == f
    default: false
    }
  }
}
