/// An operation on the members of a set, after `NSKeyValueSetMutationKind`.
public enum KeyValueSetMutationKind: UInt, Sendable {
  /// Members are added.
  case union = 1
  /// Members are removed.
  case minus
  /// All but some members are removed.
  case intersect
  /// The set is to have some members and no others.
  case set
}

extension KeyValueObservable {
  /// Makes everything that a closure does to elements of an array one change of a kind.
  ///
  /// Observers are notified of the elements at the indexes alone: those that a removal or a
  /// replacement removes, and those that an insertion or a replacement inserts (P19, P35).
  /// Everything else is as for ``withMutation(of:_:)``.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of an array.
  ///   - kind: Insertion, removal or replacement. With `setting`, the indexes are ignored.
  ///   - indexes: The indexes of the elements: before a removal, and after an insertion. Indexes
  ///     that the array does not have are ignored.
  ///   - body: Changes the elements, and nothing else about the property.
  /// - Returns: The value that the closure returns.
  /// - Throws: Any error that the closure throws.
  @discardableResult
  public func withMutation<Element, Result>(
    of keyPath: KeyPath<Self, [Element]>, _ kind: KeyValueChangeKind, at indexes: RangeSet<Int>,
    _ body: () throws -> Result
  ) rethrows -> Result {
    guard let property = manuallyChangedProperty(at: keyPath) else {
      reportUnknown(keyPath)
      return try body()
    }
    return try withChange(
      of: property, isManualNotification: true,
      // Anew after prior notifications, which may have removed elements.
      as: {
        elementChange(
          kind, at: places(indexes, for: kind, of: property) { self[keyPath: keyPath].count },
          of: property, keyPath)
      }
    ) { _ in try body() }
  }

  /// Says that elements of an array are about to change; see ``willChangeValue(for:)``.
  ///
  /// - Parameters:
  ///   - kind: Insertion, removal or replacement. With `setting`, the indexes do not count.
  ///   - indexes: The indexes of the elements: before a removal, and after an insertion. Indexes
  ///     that the array does not have are ignored.
  ///   - keyPath: The property.
  public func willChange<Element>(
    _ kind: KeyValueChangeKind, valuesAt indexes: RangeSet<Int>,
    for keyPath: KeyPath<Self, [Element]>
  ) {
    guard let property = manuallyChangedProperty(at: keyPath) else { return reportUnknown(keyPath) }
    if kind == .setting { return beginPair(of: property) }
    let places = places(indexes, for: kind, of: property) { self[keyPath: keyPath].count }
    beginPair(of: property, as: elementChange(kind, at: places, of: property, keyPath))
  }

  /// Completes a manual change notification for elements of an array; see ``didChangeValue(for:)``.
  ///
  /// The kind and the indexes of the matching `willChange` call are used if this call has others,
  /// or if `didChangeValue(for:)` is called instead (P19).
  ///
  /// - Parameters:
  ///   - kind: The kind of the change: insertion, removal or replacement.
  ///   - indexes: The indexes of the elements: before a removal, and after an insertion.
  ///   - keyPath: The key path of an array.
  public func didChange<Element>(
    _ kind: KeyValueChangeKind, valuesAt indexes: RangeSet<Int>,
    for keyPath: KeyPath<Self, [Element]>
  ) {
    didChangeValue(for: keyPath)
  }

  /// Begins a manual change notification for members of a set; see ``willChangeValue(for:)``.
  ///
  /// Observers are notified of the members that are really inserted or removed (P19, P35).
  ///
  /// - Parameters:
  ///   - keyPath: The key path of a set.
  ///   - mutation: The operation on the set.
  ///   - members: The members of the operation's other operand.
  public func willChangeValue<Element>(
    for keyPath: KeyPath<Self, Set<Element>>, withSetMutation mutation: KeyValueSetMutationKind,
    using members: Set<Element>
  ) {
    guard let property = manuallyChangedProperty(at: keyPath) else { return reportUnknown(keyPath) }
    let present = self[keyPath: keyPath]
    let added = members.subtracting(present)
    let (kind, removed): (KeyValueChangeKind, Set<Element>) =
      switch mutation {
      case .union: (.insertion, [])
      case .minus: (.removal, present.intersection(members))
      case .intersect: (.removal, present.subtracting(members))
      case .set: (.replacement, present.subtracting(members))
      }
    beginPair(
      of: property,
      as: ChangeDescription(
        Edit(kind, at: nil), removing: { _ in ValueBox(removed) },
        adding: { _ in ValueBox(added) }))
  }

  /// Says that members of a set have changed; see ``didChangeValue(for:)``.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of a set.
  ///   - mutation: The operation on the set.
  ///   - members: The members of the operation's other operand.
  public func didChangeValue<Element>(
    for keyPath: KeyPath<Self, Set<Element>>, withSetMutation mutation: KeyValueSetMutationKind,
    using members: Set<Element>
  ) {
    didChangeValue(for: keyPath)
  }

  /// The indexes of a manual notification that are possible.
  ///
  /// - `count`: Returns the number of elements before the change. It is called only if observers may be notified.
  func places(
    _ indexes: RangeSet<Int>, for kind: KeyValueChangeKind, of property: KeyValueProperty,
    count: () -> Int
  ) -> RangeSet<Int> {
    guard kind != .setting,
      observedKey(ofChanging: property) != nil || KeyValueRegistrar.isInTransaction(self)
    else { return indexes }
    return indexes.possible(for: kind, amongElements: ThreadState.pauseRecording(count))
  }

  private func elementChange<Element>(
    _ kind: KeyValueChangeKind, at indexes: RangeSet<Int>, of property: KeyValueProperty,
    _ keyPath: KeyPath<Self, [Element]>
  ) -> ChangeDescription {
    if kind == .setting { return ChangeDescription(of: property) }
    let elements = { (subject: AnyObject) -> AnyValueBox in
      let array = unsafeDowncast(subject, to: Self.self)[keyPath: keyPath]
      return ValueBox(array.elements(within: indexes))
    }
    return ChangeDescription(Edit(kind, at: indexes), removing: elements, adding: elements)
  }
}

extension Array {
  /// The elements at those places that there are.
  func elements(within indexes: RangeSet<Int>) -> [Element] {
    elements(at: indexes.intersection(RangeSet(self.indices)))
  }
}

extension RangeSet<Int> {
  /// The indexes that elements have before a removal or a replacement, or can have after an insertion.
  ///
  /// - `count`: The number of elements before the change.
  func possible(for kind: KeyValueChangeKind, amongElements count: Int) -> RangeSet<Int> {
    if kind != .insertion { return intersection(RangeSet(0..<count)) }
    var possible = RangeSet<Int>()
    var end = count
    for range in intersection(RangeSet(0..<Int.max)).ranges {
      if range.lowerBound > end { break }
      possible.insert(contentsOf: range)
      end = Swift.min(end, .max - range.count) + range.count
    }
    return possible
  }
}
