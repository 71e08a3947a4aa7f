/// An error of a key or a key path.
///
/// A function that throws it has changed nothing. Match its cases; the text of
/// ``KeyValueCodingError/description`` may change in any version.
public enum KeyValueCodingError: Error, Sendable {
  /// The class has no such key. `suggestion` is the key with the most similar name, if there is
  /// one.
  case undefinedKey(String, type: Any.Type, suggestion: String?)
  /// The key path is malformed.
  case invalidKeyPath(String, reason: KeyPathReason)
  /// The collection operator cannot be applied to a value that the key path leads to.
  case invalidOperand(keyPath: String, reason: OperandReason)
  /// The key path goes on after a value that has no keys.
  case notObservable(keyPath: String, key: String, type: Any.Type)
  /// A property that is not optional cannot be set to nil.
  case nilForNonOptional(type: Any.Type, key: String, expected: Any.Type)
  /// A value cannot be converted to the type of the property without loss.
  case typeMismatch(
    type: Any.Type, key: String, expected: Any.Type, actual: Any.Type, value: String)
  /// A value of the right type is not accepted by the property.
  case invalidValue(type: Any.Type, key: String, value: String, reason: ValueReason)
  /// The property cannot be set by key.
  case readOnly(type: Any.Type, key: String)
  /// The property can be set, but neither read nor observed.
  case writeOnly(type: Any.Type, key: String)
  /// A value cannot be set because an object on the key path, or a member of a collection, is nil.
  case nilLink(keyPath: String, key: String)
}

extension KeyValueCodingError: Equatable {
  /// Returns whether two errors are of the same case with equal contents.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.undefinedKey(let a, let b, let c), .undefinedKey(let d, let e, let f)):
      a == d && b == e && c == f
    case (.invalidKeyPath(let a, let b), .invalidKeyPath(let c, let d)): a == c && b == d
    case (.invalidOperand(let a, let b), .invalidOperand(let c, let d)): a == c && b == d
    case (.notObservable(let a, let b, let c), .notObservable(let d, let e, let f)):
      a == d && b == e && c == f
    case (.nilForNonOptional(let a, let b, let c), .nilForNonOptional(let d, let e, let f)):
      a == d && b == e && c == f
    case (
      .typeMismatch(let a, let b, let c, let d, let e),
      .typeMismatch(let f, let g, let h, let i, let j)
    ):
      a == f && b == g && c == h && d == i && e == j
    case (
      .invalidValue(let a, let b, let c, let d), .invalidValue(let e, let f, let g, let h)
    ):
      a == e && b == f && c == g && d == h
    case (.readOnly(let a, let b), .readOnly(let c, let d)): a == c && b == d
    case (.writeOnly(let a, let b), .writeOnly(let c, let d)): a == c && b == d
    case (.nilLink(let a, let b), .nilLink(let c, let d)): a == c && b == d
    default: false
    }
  }
}
