extension KeyValueMutableArray {
  /// Adds elements at the end, as `append(contentsOf:)` does.
  ///
  /// A proxy need not be a variable: `order.mutableArrayValue(for: \.tags) += ["new"]`.
  ///
  /// - Parameters:
  ///   - array: The array to append to.
  ///   - elements: The elements to append.
  @inlinable
  public static func += (array: KeyValueMutableArray, elements: some Sequence<Element>) {
    array.append(contentsOf: elements)
  }

  /// Removes the first elements: one removal, none if `count` is 0.
  ///
  /// Traps if the array has fewer elements, before any observer is notified.
  ///
  /// - Parameter count: The number of elements to remove.
  public func removeFirst(_ count: Int) {
    // A negative number makes a range that no array has.
    removeEnd { _ in Swift.min(count, 0)..<Swift.max(count, 0) }
  }

  /// Removes the last elements: one removal, none if `count` is 0.
  ///
  /// Traps if the array has fewer elements, before any observer is notified.
  ///
  /// - Parameter count: The number of elements to remove.
  public func removeLast(_ count: Int) {
    removeEnd { end in Swift.min(end - count, end)..<Swift.max(end - count, end) }
  }

  /// Removes the first element and returns it: one removal.
  ///
  /// Returns nil if there is no element.
  @discardableResult
  public func popFirst() -> Element? { pop { $0.lowerBound } }

  /// Removes the last element and returns it: one removal.
  ///
  /// Returns nil if there is no element.
  @discardableResult
  public func popLast() -> Element? { pop { $0.upperBound - 1 } }

  /// Removes a range, which is requested again after prior notifications.
  private func removeEnd(_ range: (_ count: Int) -> Range<Int>) {
    var isChecked = false
    access.edit { count, _ in
      let range = range(count)
      if range.isEmpty { return nil }
      return checked(ArrayEdit(Edit(.removal, at: range), bringing: []), count, &isChecked)
    }
  }

  /// Removes an element, if there are any.
  ///
  /// Its index is requested again after prior notifications.
  private func pop(_ index: (Range<Int>) -> Int) -> Element? {
    var removed: Element?
    access.edit { count, element in
      removed = nil
      let indices = 0..<count
      if indices.isEmpty { return nil }
      let index = index(indices)
      removed = element(index)
      return ArrayEdit(Edit(.removal, at: index..<(index + 1)), bringing: [])
    }
    return removed
  }
}
