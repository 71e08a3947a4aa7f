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
    guard kind != .setting, property.mayHoldElements(in: self) else {
      return beginPair(of: property)
    }
    let places = places(indexes, for: kind, of: property) { property.elementCount(in: self) }
    beginPair(of: property, as: property.elementChange(kind, at: places))
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
    return type is any PlacedElements.Type
      || type == Any.self && value(of: subject).map { $0 is any PlacedElements } ?? true
  }

  fileprivate func elementCount(in subject: AnyObject) -> Int {
    (value(of: subject) as? any PlacedElements)?.count ?? 0
  }

  fileprivate func elementChange(
    _ kind: KeyValueChangeKind, at indexes: RangeSet<Int>
  ) -> ChangeDescription {
    let elements = { (subject: AnyObject) in self.elements(at: indexes, of: subject) }
    return ChangeDescription(Edit(kind, at: indexes), removing: elements, adding: elements)
  }

  /// The elements at those places that there are, as a value of the property's type.
  fileprivate func elements(at places: RangeSet<Int>, of subject: AnyObject) -> AnyValueBox {
    (value(of: subject) as? any PlacedElements)?.box(at: places, as: valueType)
      ?? box(of: subject)
  }
}

/// An array of elements whose type only run time knows.
private protocol PlacedElements {
  var count: Int { get }
  func box(at places: RangeSet<Int>, as type: Any.Type) -> AnyValueBox?
}

extension Array: PlacedElements {
  fileprivate func box(at places: RangeSet<Int>, as type: Any.Type) -> AnyValueBox? {
    let elements = elements(within: places)
    return if type == Self.self {
      ValueBox(elements)
    } else if type == Self?.self {
      ValueBox<Self?>(elements)
    } else if type == Any.self {
      ValueBox<Any>(elements)
    } else if type == Any?.self {
      ValueBox<Any?>(elements)
    } else {
      nil
    }
  }
}
