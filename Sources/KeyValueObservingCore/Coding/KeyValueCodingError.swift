/// An error of a key or a key path.
///
/// Nothing was changed.
public enum KeyValueCodingError: Error, Sendable {
  /// A class has no such key. `suggestion` is its nearest one, if one is near.
  case undefinedKey(String, type: Any.Type, suggestion: String?)
  /// A key path is malformed. `reason` says how.
  case invalidKeyPath(String, reason: String)
  /// A collection operator cannot be applied to what it finds. `reason` says why.
  case invalidOperand(keyPath: String, reason: String)
  /// A key path runs through a value that has no keys.
  case notObservable(keyPath: String, key: String, type: Any.Type)
  /// A property that is not optional was to be set to nil.
  case nilForNonOptional(type: Any.Type, key: String, expected: Any.Type)
  /// A property was to be set to a value that it cannot hold without loss.
  case typeMismatch(
    type: Any.Type, key: String, expected: Any.Type, actual: Any.Type, value: String)
  /// A property was to be set to a value of its type that it does not take. `reason` says why.
  case invalidValue(type: Any.Type, key: String, value: String, reason: String)
  /// A property was to be set that key-value coding may only read.
  case readOnly(type: Any.Type, key: String)
  /// A property was to be read or observed that can only be set.
  case writeOnly(type: Any.Type, key: String)
  /// A value was to be set behind a link that is nil.
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
