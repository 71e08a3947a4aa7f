// The errors of the functions that parse and evaluate key paths.
extension KeyValueCodingError {
  static var emptyKeyPath: Self { .invalidKeyPath("", reason: .empty) }

  static func emptyComponent(in keyPath: String) -> Self {
    .invalidKeyPath(keyPath, reason: .emptyComponent)
  }

  static func noProperty(in keyPath: String) -> Self {
    .invalidKeyPath(keyPath, reason: .noProperty)
  }

  static func notMadeOfKeys(_ keyPath: AnyKeyPath) -> Self {
    let (root, value) = (type(of: keyPath).rootType, type(of: keyPath).valueType)
    // The names of its components are not known, and its description has addresses in their places.
    return .invalidKeyPath(
      "KeyPath<\(spelling(of: root)), \(spelling(of: value))>", reason: .notMadeOfKeys)
  }

  static func notAnObject(_ type: Any.Type, at key: String, in keyPath: String) -> Self {
    .invalidKeyPath(keyPath, reason: .notAnObject(key: key, type: type))
  }

  static func tooDeep(in keyPath: String, limit: Int) -> Self {
    .invalidKeyPath(keyPath, reason: .tooDeep(limit: limit))
  }

  // MARK: Operators

  static func unknownOperator(_ word: String, in keyPath: String) -> Self {
    let suggestion = nearest(to: word, among: CollectionOperator.allCases.map(\.rawValue))
    return .invalidKeyPath(keyPath, reason: .unknownOperator(word, suggestion: suggestion))
  }

  static func missingOperand(of found: CollectionOperator, in keyPath: String) -> Self {
    .invalidKeyPath(keyPath, reason: .missingOperand(of: found.rawValue))
  }

  /// The result of an operator was to be set, or mutated through a proxy.
  static func result(of found: CollectionOperator, in keyPath: String) -> Self {
    .invalidKeyPath(keyPath, reason: .result(of: found.rawValue))
  }

  static func notACollection(
    _ type: Any.Type, at key: String, _ found: CollectionOperator, in keyPath: String
  ) -> Self {
    .invalidKeyPath(
      keyPath, reason: .notACollection(key: key, type: type, operator: found.rawValue))
  }

  // MARK: Operands

  static func invalidOperand(
    _ value: Any, of found: CollectionOperator, takes kind: String, in keyPath: String
  ) -> Self {
    .invalidOperand(
      keyPath: keyPath,
      reason: .typeMismatch(
        operator: found.rawValue, expected: kind, actual: type(of: value), value: shown(value)))
  }

  static func incomparable(
    _ value: Any, _ other: Any, to found: CollectionOperator, in keyPath: String
  ) -> Self {
    .invalidOperand(
      keyPath: keyPath,
      reason: .incomparable(
        operator: found.rawValue, value: shown(value), type: type(of: value),
        other: shown(other), otherType: type(of: other)))
  }

  static func overflow(_ sum: String, in keyPath: String) -> Self {
    .invalidOperand(keyPath: keyPath, reason: .overflow(sum: sum))
  }
}
