// Changes as tests write them down. A label that is left out means that the value is absent; nil
// means that it is present and nil (P2). An optional parameter could not tell the two apart for a
// value; places cannot be nil.
extension KeyValueChange {
  /// A change of kind `setting` without values.
  ///
  /// - Parameters:
  ///   - isPrior: Whether to expect a prior notification.
  ///   - reason: The reason to expect.
  /// - Returns: The change.
  public static func setting(
    isPrior: Bool = false, reason: KeyValueChangeReason = .valueChanged
  ) -> Self {
    Self(isPrior: isPrior, reason: reason)
  }

  /// A change of kind `setting` for an observer of `new`, also the initial one (P3).
  ///
  /// - Parameters:
  ///   - new: The new value to expect.
  ///   - reason: The reason to expect.
  /// - Returns: The change.
  public static func setting(to new: Value, reason: KeyValueChangeReason = .valueChanged) -> Self {
    Self(newValue: .some(new), reason: reason)
  }

  /// A change of kind `setting` for an observer of `old`.
  ///
  /// - Parameters:
  ///   - old: The old value to expect.
  ///   - isPrior: Whether to expect a prior notification.
  ///   - reason: The reason to expect.
  /// - Returns: The change.
  public static func setting(
    from old: Value, isPrior: Bool = false, reason: KeyValueChangeReason = .valueChanged
  ) -> Self {
    Self(oldValue: .some(old), isPrior: isPrior, reason: reason)
  }

  /// A change of kind `setting` for an observer of `old` and `new`.
  ///
  /// - Parameters:
  ///   - old: The old value to expect.
  ///   - new: The new value to expect.
  ///   - reason: The reason to expect.
  /// - Returns: The change.
  public static func setting(
    from old: Value, to new: Value, reason: KeyValueChangeReason = .valueChanged
  ) -> Self {
    Self(newValue: .some(new), oldValue: .some(old), reason: reason)
  }

  /// A change of kind `insertion`, for an observer of `new` (P35).
  ///
  /// That of a set has no places.
  ///
  /// - Parameters:
  ///   - new: The new value to expect.
  ///   - indexes: The indexes to expect; nil for a set.
  ///   - reason: The reason to expect.
  /// - Returns: The change.
  public static func insertion(
    of new: Value, at indexes: RangeSet<Int>? = nil, reason: KeyValueChangeReason = .valueChanged
  ) -> Self {
    Self(kind: .insertion, newValue: .some(new), indexes: indexes, reason: reason)
  }

  /// A change of kind `removal`, for an observer of `old` (P35).
  ///
  /// That of a set has no places.
  ///
  /// - Parameters:
  ///   - old: The old value to expect.
  ///   - indexes: The indexes to expect; nil for a set.
  ///   - reason: The reason to expect.
  /// - Returns: The change.
  public static func removal(
    of old: Value, at indexes: RangeSet<Int>? = nil, reason: KeyValueChangeReason = .valueChanged
  ) -> Self {
    Self(kind: .removal, oldValue: .some(old), indexes: indexes, reason: reason)
  }

  /// A change of kind `replacement`, for an observer of `old` and `new` (P35).
  ///
  /// That of a set has no places.
  ///
  /// - Parameters:
  ///   - old: The old value to expect.
  ///   - new: The new value to expect.
  ///   - indexes: The indexes to expect; nil for a set.
  ///   - reason: The reason to expect.
  /// - Returns: The change.
  public static func replacement(
    from old: Value, to new: Value, at indexes: RangeSet<Int>? = nil,
    reason: KeyValueChangeReason = .valueChanged
  ) -> Self {
    Self(
      kind: .replacement, newValue: .some(new), oldValue: .some(old), indexes: indexes,
      reason: reason)
  }
}

extension RangeSet where Bound == Int {
  /// The places of elements, as a test writes them: `.places(0, 2)`.
  ///
  /// - Parameter places: The indexes, in any order.
  /// - Returns: The set of indexes.
  public static func places(_ places: Int...) -> Self {
    RangeSet(places.map { $0..<$0 + 1 })
  }
}
