/// Converts the values of the two sides of a binding.
///
/// The two closures need not be inverse to each other: what is written does not come back (P65).
public struct KeyValueConverter<First, Second> {
  /// Converts a value of the first side; nil where it cannot be converted.
  public let to: (First) -> Second?
  /// Converts a value of the second side; nil where it cannot be converted.
  public let from: (Second) -> First?

  /// Creates a converter.
  ///
  /// - Parameters:
  ///   - to: Converts a value of the first side. If it returns nil, the second side keeps its value, and a
  ///     diagnostic names the first such value (P66).
  ///   - from: Converts a value of the second side, in the same way.
  public init(to: @escaping (First) -> Second?, from: @escaping (Second) -> First?) {
    self.to = to
    self.from = from
  }
}
