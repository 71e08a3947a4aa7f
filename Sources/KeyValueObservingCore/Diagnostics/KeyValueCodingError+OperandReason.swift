extension KeyValueCodingError {
  /// The reason why a collection operator cannot be applied to a value.
  public enum OperandReason: Sendable {
    /// The value is not of a type that the operator takes. `expected` says which it takes, such as
    /// `numbers`.
    case typeMismatch(operator: String, expected: String, actual: Any.Type, value: String)
    /// Two values cannot be compared with each other.
    case incomparable(
      operator: String, value: String, type: Any.Type, other: String, otherType: Any.Type)
    /// The sum of integers does not fit in an `Int`.
    case overflow(sum: String)
  }
}

extension KeyValueCodingError.OperandReason: Equatable {
  /// Returns whether two values are equal.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (
      .typeMismatch(let a, let b, let c, let d), .typeMismatch(let e, let f, let g, let h)
    ):
      a == e && b == f && c == g && d == h
    case (
      .incomparable(let a, let b, let c, let d, let e),
      .incomparable(let f, let g, let h, let i, let j)
    ):
      a == f && b == g && c == h && d == i && e == j
    case (.overflow(let a), .overflow(let b)): a == b
    default: false
    }
  }
}
