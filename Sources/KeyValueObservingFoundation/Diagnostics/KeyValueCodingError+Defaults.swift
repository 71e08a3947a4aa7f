internal import KeyValueObservingCore

extension KeyValueCodingError {
  /// The reason why a default does not accept a value.
  static func unsupportedDefault(_ value: Any, key: String) -> Self {
    .invalidValue(
      type: ObservableUserDefaults.self, key: key, value: String(describing: value),
      reason: "a property list cannot hold a value of type \(spelling(of: type(of: value)))")
  }
}
