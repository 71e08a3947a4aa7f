extension KeyValueCodingError {
  /// The reason why a property does not accept a value of its type.
  ///
  /// A class that throws ``KeyValueCodingError/invalidValue(type:key:value:reason:)`` for a reason
  /// of its own may write it as a string:
  ///
  /// ```swift
  /// throw .invalidValue(
  ///   type: Meter.self, key: "level", value: "11", reason: "a level is a multiple of 10")
  /// ```
  public enum ValueReason: Sendable, Equatable {
    /// The number is out of the range that the property accepts.
    case outOfRange(minimum: String, maximum: String)
    /// The value is not one of a type that only another type system knows, such as a class of C.
    case typeMismatch(expected: String)
    /// The text contains a null character, at which a string of C ends.
    case nullCharacter
    /// Another reason, as a clause without a period.
    case other(String)
  }
}

extension KeyValueCodingError.ValueReason: ExpressibleByStringInterpolation {
  /// Creates a reason from a clause.
  ///
  /// - Parameter reason: The clause, without a period.
  public init(stringLiteral reason: String) {
    self = .other(reason)
  }
}
