extension KeyValueChange where Value: ExpressibleByNilLiteral {
  /// The value after the change of an optional property, or nil if the change holds none.
  ///
  /// It avoids the double optional of ``newValue``, which distinguishes a value that is nil from one that
  /// is absent:
  ///
  /// ```swift
  /// article.observe(\.author?.name, options: .new) { _, change in
  ///   label.text = change.newValueOrNil ?? "no author"
  /// }
  /// ```
  @inlinable
  public var newValueOrNil: Value { newValue ?? nil }

  /// The value before the change of an optional property, or nil if the change holds none.
  ///
  /// It avoids the double optional of ``oldValue``.
  @inlinable
  public var oldValueOrNil: Value { oldValue ?? nil }
}
