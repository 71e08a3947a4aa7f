// Changes as tests write them. A label that is left out means that the value is absent; nil means
// that it is present and nil (P2). An optional parameter could not distinguish the two for a value;
// indexes cannot be nil.
extension KeyValueChange {
  /// A change of kind `setting` without values.
  ///
  /// - Parameters:
  ///   - isPrior: Whether it is a prior notification.
  ///   - reason: Whether the value itself changed, or an object on the key path.
  ///
  /// - Returns: The change.
  public static func setting(
    isPrior: Bool = false, reason: KeyValueChangeReason = .valueChanged
  ) -> Self {
    Self(isPrior: isPrior, reason: reason)
  }

  /// A change of kind `setting` for an observer of `new`, also the initial one (P3).
  ///
  /// - Parameters:
  ///   - new: The value after the change.
  ///   - reason: Whether the value itself changed, or an object on the key path.
  ///
  /// - Returns: The change.
  public static func setting(to new: Value, reason: KeyValueChangeReason = .valueChanged) -> Self {
    Self(newValue: .some(new), reason: reason)
  }

  /// A change of kind `setting` for an observer of `old`.
  ///
  /// - Parameters:
  ///   - old: The value before the change.
  ///   - isPrior: Whether it is a prior notification.
  ///   - reason: Whether the value itself changed, or an object on the key path.
  ///
  /// - Returns: The change.
  public static func setting(
    from old: Value, isPrior: Bool = false, reason: KeyValueChangeReason = .valueChanged
  ) -> Self {
    Self(oldValue: .some(old), isPrior: isPrior, reason: reason)
  }

  /// A change of kind `setting` for an observer of `old` and `new`.
  ///
  /// - Parameters:
  ///   - old: The value before the change.
  ///   - new: The value after the change.
  ///   - reason: Whether the value itself changed, or an object on the key path.
  ///
  /// - Returns: The change.
  public static func setting(
    from old: Value, to new: Value, reason: KeyValueChangeReason = .valueChanged
  ) -> Self {
    Self(newValue: .some(new), oldValue: .some(old), reason: reason)
  }

  /// A change of kind `insertion` for an observer of `new` (P35).
  ///
  /// - Parameters:
  ///   - new: The inserted elements.
  ///   - indexes: Their indexes after the change; nil for a set.
  ///   - reason: Whether the value itself changed, or an object on the key path.
  ///
  /// - Returns: The change.
  public static func insertion(
    of new: Value, at indexes: RangeSet<Int>? = nil, reason: KeyValueChangeReason = .valueChanged
  ) -> Self {
    Self(kind: .insertion, newValue: .some(new), indexes: indexes, reason: reason)
  }

  /// A change of kind `removal` for an observer of `old` (P35).
  ///
  /// - Parameters:
  ///   - old: The removed elements.
  ///   - indexes: Their indexes before the change; nil for a set.
  ///   - reason: Whether the value itself changed, or an object on the key path.
  ///
  /// - Returns: The change.
  public static func removal(
    of old: Value, at indexes: RangeSet<Int>? = nil, reason: KeyValueChangeReason = .valueChanged
  ) -> Self {
    Self(kind: .removal, oldValue: .some(old), indexes: indexes, reason: reason)
  }

  /// A change of kind `replacement` for an observer of `old` and `new` (P35).
  ///
  /// - Parameters:
  ///   - old: The replaced elements.
  ///   - new: The elements that replace them.
  ///   - indexes: Their indexes; nil for a set.
  ///   - reason: Whether the value itself changed, or an object on the key path.
  ///
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
  /// The indexes of elements, as a test writes them: `.places(0, 2)`.
  ///
  /// - Parameter places: The indexes.
  ///
  /// - Returns: A set of the indexes.
  public static func places(_ places: Int...) -> Self {
    RangeSet(places.map { $0..<$0 + 1 })
  }
}
