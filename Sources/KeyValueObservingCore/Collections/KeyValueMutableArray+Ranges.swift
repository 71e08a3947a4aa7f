extension KeyValueMutableArray {
  /// The elements in a range, as they are when it is read.
  ///
  /// Assigning replaces them as `replaceSubrange(_:with:)` does: one replacement if there are as
  /// many, else a removal and an insertion.
  ///
  /// Traps if the array does not have the range, before any observer is notified.
  ///
  /// - Parameter range: A range of indexes.
  ///
  /// - Complexity: Reading is O(1) for a proxy of a property, and O(*n*) for one by key, which
  ///   converts all *n* elements.
  public subscript(range: Range<Int>) -> ArraySlice<Element> {
    get { access.elements()[range] }
    nonmutating set { replaceSubrange(range, with: newValue) }
  }

  /// The elements in a range such as `1...` or `...3`, like `self[1..<3]`.
  ///
  /// - Parameter range: A range of indexes.
  public subscript(range: some RangeExpression<Int>) -> ArraySlice<Element> {
    get { self[range.relative(to: self)] }
    nonmutating set { self[range.relative(to: self)] = newValue }
  }

  /// All elements, like `self[1..<3]`.
  public subscript(_: UnboundedRange) -> ArraySlice<Element> {
    get { self[0..<count] }
    nonmutating set { self[0..<count] = newValue }
  }
}
