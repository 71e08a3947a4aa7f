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
      as: { elementChange(kind, at: indexes, of: property) }, body)
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
    beginPair(of: property, as: elementChange(kind, at: indexes, of: property))
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
        adding: { _ in ValueBox(added) }),
      exchanging: {
        // The other operations leave members as they are.
        guard mutation == .set else { return nil }
        let members = ValueBox(members)
        return members.exchange(from: ValueBox(present), adding: [members])
      })
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

  /// The change of elements at those of some indexes that are possible, or of a property as a whole that is no array.
  func elementChange(
    _ kind: KeyValueChangeKind, at indexes: RangeSet<Int>, of property: KeyValueProperty
  ) -> ChangeDescription {
    guard kind != .setting, property.mayHoldElements(in: self) else {
      return ChangeDescription(of: property)
    }
    var indexes = indexes
    // Elements are counted only if observers may be notified.
    if observedKey(ofChanging: property) != nil || KeyValueRegistrar.isInTransaction(self) {
      let present = ThreadState.pauseRecording { property.box(of: self) }
      indexes = indexes.possible(for: kind, amongElements: present.placeCount ?? 0)
    }
    // As a value of the property's type.
    let elements = { [indexes] (subject: AnyObject) in
      let value = property.box(of: subject)
      return value.elements(at: indexes) ?? value
    }
    return ChangeDescription(Edit(kind, at: indexes), removing: elements, adding: elements)
  }
}

// MARK: By key

extension KeyValueObservable {
  /// Begins a manual change notification for elements of the array that a key names.
  ///
  /// See ``willChangeValue(for:)``. If the property is no array, the change is one of kind
  /// `setting`. For a key that the class does not have, no observer is notified and a diagnostic is
  /// reported (``KeyValueDiagnostics``).
  ///
  /// - Parameters:
  ///   - kind: Insertion, removal or replacement. With `setting`, the indexes are ignored.
  ///   - indexes: The indexes of the elements: before a removal, and after an insertion. Indexes
  ///     that the array does not have are ignored.
  ///   - key: The key of an array, of an optional array, or of a property of type `Any` or `Any?`
  ///     that holds one.
  public func willChange(
    _ kind: KeyValueChangeKind, valuesAt indexes: RangeSet<Int>, forKey key: String
  ) {
    guard let property = manuallyChangedProperty(forKey: key) else { return reportUnknown(key) }
    beginPair(of: property, as: elementChange(kind, at: indexes, of: property))
  }

  /// Completes a manual change notification for elements of the array that a key names.
  ///
  /// See ``didChangeValue(for:)``. The kind and the indexes of the matching `willChange` call are
  /// used if this call has others (P19).
  ///
  /// - Parameters:
  ///   - kind: The kind of the change: insertion, removal or replacement.
  ///   - indexes: The indexes of the elements: before a removal, and after an insertion.
  ///   - key: The key of a property.
  public func didChange(
    _ kind: KeyValueChangeKind, valuesAt indexes: RangeSet<Int>, forKey key: String
  ) {
    didChangeValue(forKey: key)
  }
}

extension KeyValueProperty {
  /// Whether elements may be inserted: it is an array, or one may be made of its nil.
  fileprivate func mayHoldElements(in subject: AnyObject) -> Bool {
    let type = unwrappedType(valueType)
    let held = type == Any.self ? value(of: subject).map { Swift.type(of: $0) } : type
    guard let held else { return true }
    return (held as? any EditableValue.Type)?.hasPlaces ?? false
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
