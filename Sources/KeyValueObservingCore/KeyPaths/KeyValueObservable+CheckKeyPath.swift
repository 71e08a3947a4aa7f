extension KeyValueObservable {
  /// Rejects a string key path that could not be observed (P6), without registering anything.
  ///
  /// - `subject`: The object from which the path starts. Without one, the path is checked against
  ///   the class.
  package static func checkKeyPath(
    _ keyPath: String, from subject: Self?
  ) throws(KeyValueCodingError) {
    if let subject {
      _ = try StringPath(keyPath, from: subject)
    } else {
      try ParsedKeyPath(keyPath).check(against: Self.self)
    }
  }
}
