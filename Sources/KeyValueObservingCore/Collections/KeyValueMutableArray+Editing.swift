extension KeyValueMutableArray {
  /// Appends an element, as one insertion.
  ///
  /// - Parameter element: The element to append.
  @inlinable
  public func append(_ element: Element) {
    insert([element]) { $0 }
  }

  /// Appends elements, as one insertion, or none if there are no elements.
  ///
  /// - Parameter elements: The elements to append.
  @inlinable
  public func append(contentsOf elements: some Sequence<Element>) {
    insert(Array(elements)) { $0 }
  }

  /// Inserts an element before an index, as one insertion.
  ///
  /// - Parameters:
  ///   - element: The element to insert.
  ///   - place: The index before which to insert. The array's count appends.
  @inlinable
  public func insert(_ element: Element, at place: Int) {
    insert([element], at: place)
  }

  /// Inserts elements before an index, as one insertion, or none if there are no elements.
  ///
  /// - Parameters:
  ///   - elements: The elements to insert.
  ///   - place: The index before which to insert. The array's count appends.
  @inlinable
  public func insert(contentsOf elements: some Collection<Element>, at place: Int) {
    insert(Array(elements), at: place)
  }

  /// Inserts elements so that they have these indexes afterwards, as one insertion.
  ///
  /// - Parameters:
  ///   - elements: The elements to insert.
  ///   - indexes: The indexes that the elements will have, one for each.
  @inlinable
  public func insert(_ elements: some Collection<Element>, at indexes: RangeSet<Int>) {
    let elements = Array(elements)
    change(ArrayEdit(Edit(.insertion, at: indexes), bringing: elements))
  }

  /// Removes and returns the element at an index, as one removal.
  ///
  /// If an observer of prior notifications leaves the array without this index, nothing is removed,
  /// and the element that was there before is returned.
  ///
  /// - Parameter place: The index of the element to remove.
  /// - Returns: The removed element.
  @discardableResult
  @inlinable
  public func remove(at place: Int) -> Element {
    remove { _ in place }
  }

  /// Removes the elements at some indexes, as one removal, or none if there are no indexes.
  ///
  /// - Parameter indexes: The indexes of the elements to remove.
  @inlinable
  public func remove(at indexes: RangeSet<Int>) {
    change(ArrayEdit(Edit(.removal, at: indexes), bringing: []))
  }

  /// Removes the elements in a range, as one removal, or none if it is empty.
  ///
  /// - Parameter range: The indexes of the elements to remove.
  public func removeSubrange(_ range: some RangeExpression<Int>) {
    var isChecked = false
    var greatestCount = 0
    access.edit { count, _ in
      // A range that was inside of the array may begin behind its end by now.
      greatestCount = Swift.max(greatestCount, count)
      let range = range.relative(to: 0..<greatestCount)
      if range.isEmpty { return nil }
      let edit = Edit(.removal, at: range)
      return checked(ArrayEdit(edit, bringing: []), count, &isChecked)
    }
  }

  /// Removes the last element and returns it: one removal.
  @discardableResult
  @inlinable
  public func removeLast() -> Element { remove { $0 - 1 } }

  /// Removes the first element and returns it: one removal.
  @discardableResult
  @inlinable
  public func removeFirst() -> Element { remove(at: 0) }

  /// Removes every element: one removal, none if there was no element.
  public func removeAll() {
    access.edit { count, _ in count == 0 ? nil : .removal(RangeSet(0..<count)) }
  }

  /// Removes the elements that a closure picks: one removal, none if it picks none.
  ///
  /// If the closure throws, nothing is removed and no observer is notified. It is called again after
  /// prior notifications, since their observers may have changed the array.
  ///
  /// - Parameter isRemoved: Returns whether to remove an element.
  /// - Throws: Any error that the closure throws.
  public func removeAll<Failure: Error>(
    where isRemoved: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    var failure: Failure?
    access.edit { count, element in
      do throws(Failure) {
        var places: [Int] = []
        for place in 0..<count where try isRemoved(element(place)) { places.append(place) }
        return places.isEmpty ? nil : .removal(RangeSet(places: places))
      } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
  }

  /// Replaces the elements at some indexes, as one replacement.
  ///
  /// - Parameters:
  ///   - indexes: The indexes of the elements to replace.
  ///   - elements: The new elements, one for each index.
  @inlinable
  public func replace(at indexes: RangeSet<Int>, with elements: some Collection<Element>) {
    change(ArrayEdit(Edit(.replacement, at: indexes), bringing: Array(elements)))
  }

  /// Replaces a range by other elements, as one replacement if there are as many, else a removal
  /// and an insertion, each unless it is empty.
  ///
  /// - Parameters:
  ///   - range: The indexes of the elements to replace.
  ///   - elements: The new elements, of any number.
  public func replaceSubrange(
    _ range: some RangeExpression<Int>, with elements: some Collection<Element>
  ) {
    let count = count
    let range = range.relative(to: 0..<count)
    let elements = Array(elements)
    Edit(.removal, at: range).check(bringing: 0, to: count)
    if range.count == elements.count {
      if elements.isEmpty { return }
      return access.edit { _, _ in ArrayEdit(Edit(.replacement, at: range), bringing: elements) }
    }
    // Nothing may be removed for what cannot be inserted then.
    guard access.accepts(elements) else { return }
    if !range.isEmpty {
      var isMade = false
      access.edit { count, _ in
        isMade = range.upperBound <= count
        return ArrayEdit(Edit(.removal, at: range), bringing: [])
      }
      // An observer of prior notifications has removed what was to be replaced.
      if !isMade { return }
    }
    // Observers of the removal may have changed the array.
    insert(elements) { Swift.min(range.lowerBound, $0) }
  }

  /// Removes the element at a place, which is asked for again after prior notifications.
  ///
  /// Returns the element that was there then, or before, if there is no such place any more.
  @inlinable
  func remove(at place: (_ count: Int) -> Int) -> Element {
    var removed: Element?
    var isChecked = false
    access.edit { count, element in
      let place = place(count)
      let edit = checked(
        ArrayEdit(Edit(.removal, at: place..<(place + 1)), bringing: []), count, &isChecked)
      if 0..<count ~= place { removed = element(place) }
      return edit
    }
    return removed!
  }

  /// Inserts elements in front of the place that a closure finds in an array of a length.
  @inlinable
  func insert(_ elements: [Element], at place: (_ count: Int) -> Int) {
    guard !elements.isEmpty else { return }
    access.edit { count, _ in
      let first = place(count)
      let range = first..<(first + elements.count)
      return ArrayEdit(Edit(.insertion, at: range), bringing: elements)
    }
  }

  @inlinable
  func insert(_ elements: [Element], at place: Int) {
    guard !elements.isEmpty else { return }
    change(ArrayEdit(Edit(.insertion, at: place..<(place + elements.count)), bringing: elements))
  }

  @inlinable
  func change(_ change: ArrayEdit<Element>) {
    var isChecked = false
    access.edit { count, _ in
      let change = checked(change, count, &isChecked)
      return change.edit.isEmpty ? nil : change
    }
  }

  /// Traps for an edit that is impossible, before an observer is notified of it.
  ///
  /// Later it is not the caller who is wrong, but an observer that has changed the array.
  @inlinable
  func checked(
    _ edit: ArrayEdit<Element>, _ count: Int, _ isChecked: inout Bool
  ) -> ArrayEdit<Element> {
    if !isChecked { edit.check(count: count) }
    isChecked = true
    return edit
  }
}

// MARK: Order

extension KeyValueMutableArray {
  /// Exchanges two elements, as one replacement of both, or none if the indexes are equal.
  ///
  /// - Parameters:
  ///   - left: An index.
  ///   - right: Another index, or the same one.
  public func swapAt(_ left: Int, _ right: Int) {
    if left == right { return }
    let (first, last) = (Swift.min(left, right), Swift.max(left, right))
    let edit = Edit(.replacement, at: RangeSet(places: [first, last]))
    var isChecked = false
    access.edit { count, element in
      if !isChecked { edit.check(bringing: 2, to: count) }
      isChecked = true
      // Without elements it does not fit.
      let isPossible = last < count
      return ArrayEdit(edit, bringing: isPossible ? [element(last), element(first)] : [])
    }
  }

  /// Reverses the order, as one replacement of the indexes that change.
  public func reverse() {
    reorder { $0.indices.reversed() }
  }

  /// Sorts the array, as one replacement of the indexes that change, or none if it was sorted.
  ///
  /// Equal elements keep their order.
  ///
  /// If the closure throws, nothing is moved and no observer is notified. It is called again after
  /// prior notifications, since their observers may have changed the array.
  ///
  /// - Parameter areInIncreasingOrder: Returns whether its first argument is ordered before its
  ///   second.
  /// - Throws: Any error that the closure throws.
  public func sort<Failure: Error>(
    by areInIncreasingOrder: (Element, Element) throws(Failure) -> Bool
  ) throws(Failure) {
    var failure: Failure?
    reorder { array in
      do {
        // The first of two equal ones stays in front: the standard library does not promise stability.
        return try array.indices.sorted { left, right in
          left < right
            ? try !areInIncreasingOrder(array[right], array[left])
            : try areInIncreasingOrder(array[left], array[right])
        }
      } catch {
        failure = error as? Failure
        return Array(array.indices)
      }
    }
    if let failure { throw failure }
  }

  /// Puts at each place the element from another one.
  ///
  /// - `given`: The indexes that the caller of the proxy has given. It traps if the array does not
  ///   have them; an observer of a prior notification may remove them after that.
  /// - `end`: An index that the caller has given, which may be the end of the array.
  func reorder(
    within given: RangeSet<Int> = RangeSet(), before end: Int = 0, _ sources: ([Element]) -> [Int]
  ) {
    let edit = Edit(.replacement, at: given)
    let givenCount = given.places.count
    var isChecked = false
    access.edit { count, element in
      if !isChecked {
        edit.check(bringing: givenCount, to: count)
        Edit(.removal, at: end..<end).check(bringing: 0, to: count)
      }
      isChecked = true
      // Without its elements the edit does not fit, and is reported.
      guard edit.fits(bringing: givenCount, to: count), end <= count else {
        return ArrayEdit(edit, bringing: [])
      }
      let array = (0..<count).map(element)
      let sources = sources(array)
      let moved = array.indices.filter { sources[$0] != $0 }
      if moved.isEmpty { return nil }
      return .replacement(RangeSet(places: moved), moved.map { array[sources[$0]] })
    }
  }
}

extension KeyValueMutableArray where Element: Comparable {
  /// Sorts the array, as one replacement of the indexes that change, or none if it was sorted.
  public func sort() { sort(by: <) }
}
