extension KeyValueMutableArray {
  /// Adds an element at the end: one insertion.
  @inlinable
  public func append(_ element: Element) {
    insert([element]) { count }
  }

  /// Adds elements at the end: one insertion, none if there are no elements.
  @inlinable
  public func append(contentsOf elements: some Sequence<Element>) {
    insert(Array(elements)) { count }
  }

  /// Inserts an element in front of the one at a place: one insertion.
  @inlinable
  public func insert(_ element: Element, at place: Int) {
    insert([element]) { place }
  }

  /// Inserts elements in front of the one at a place: one insertion, none if there are no elements.
  @inlinable
  public func insert(contentsOf elements: some Collection<Element>, at place: Int) {
    insert(Array(elements)) { place }
  }

  /// Inserts elements so that they have these places afterwards: one insertion.
  @inlinable
  public func insert(_ elements: some Collection<Element>, at indexes: RangeSet<Int>) {
    let elements = Array(elements)
    change(ArrayEdit(Edit(.insertion, at: indexes), bringing: elements))
  }

  /// Removes the element at a place and returns it: one removal.
  @discardableResult
  @inlinable
  public func remove(at place: Int) -> Element {
    remove { place }
  }

  /// Removes the elements at places: one removal, none if there are no places.
  @inlinable
  public func remove(at indexes: RangeSet<Int>) {
    change(ArrayEdit(Edit(.removal, at: indexes), bringing: []))
  }

  /// Removes the elements in a range: one removal, none if it is empty.
  public func removeSubrange(_ range: some RangeExpression<Int>) {
    access.edit {
      let range = range.relative(to: self)
      return range.isEmpty ? nil : checked(.removal(RangeSet(range)))
    }
  }

  /// Removes the last element and returns it: one removal.
  @discardableResult
  @inlinable
  public func removeLast() -> Element { remove { count - 1 } }

  /// Removes the first element and returns it: one removal.
  @discardableResult
  @inlinable
  public func removeFirst() -> Element { remove(at: 0) }

  /// Removes every element: one removal, none if there was no element.
  public func removeAll() {
    access.edit { isEmpty ? nil : .removal(RangeSet(0..<count)) }
  }

  /// Removes the elements that a closure picks: one removal, none if it picks none.
  ///
  /// If the closure throws, nothing is removed and nobody is told. It is asked again if a prior
  /// callback has changed the array.
  public func removeAll<Failure: Error>(
    where isRemoved: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    var failure: Failure?
    access.edit {
      do throws(Failure) {
        var places: [Int] = []
        for (place, element) in access.elements().enumerated() where try isRemoved(element) {
          places.append(place)
        }
        return places.isEmpty ? nil : .removal(RangeSet(places: places))
      } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
  }

  /// Puts other elements in the places of those that are there: one replacement.
  @inlinable
  public func replace(at indexes: RangeSet<Int>, with elements: some Collection<Element>) {
    change(ArrayEdit(Edit(.replacement, at: indexes), bringing: Array(elements)))
  }

  /// Puts elements in the place of a range: one replacement if there are as many, else a removal
  /// and an insertion, each unless it is empty.
  public func replaceSubrange(
    _ range: some RangeExpression<Int>, with elements: some Collection<Element>
  ) {
    let range = range.relative(to: self)
    let elements = Array(elements)
    if range.count == elements.count { return replace(at: RangeSet(range), with: elements) }
    // An empty range removes nothing, and would be looked at nowhere else.
    _ = checked(ArrayEdit(Edit(.removal, at: range), bringing: []))
    // Nothing may be removed for what cannot be inserted then.
    guard access.accepts(elements) else { return }
    removeSubrange(range)
    // Observers of the removal may have changed the array.
    insert(elements) { Swift.min(range.lowerBound, count) }
  }

  /// Removes the element at a place, which is asked for again if a prior callback has changed the
  /// array. Returns the element that was there then.
  @inlinable
  func remove(at place: () -> Int) -> Element {
    var removed: Element?
    access.edit {
      let place = place()
      let edit = checked(ArrayEdit(Edit(.removal, at: place..<(place + 1)), bringing: []))
      removed = self[place]
      return edit
    }
    return removed!
  }

  @inlinable
  func insert(_ elements: [Element], at place: () -> Int) {
    guard !elements.isEmpty else { return }
    access.edit {
      let first = place()
      let range = first..<(first + elements.count)
      return checked(ArrayEdit(Edit(.insertion, at: range), bringing: elements))
    }
  }

  @inlinable
  func change(_ change: ArrayEdit<Element>) {
    access.edit {
      let change = checked(change)
      return change.edit.isEmpty ? nil : change
    }
  }

  /// Traps before anybody is told of an edit that is impossible.
  @inlinable
  func checked(_ edit: ArrayEdit<Element>) -> ArrayEdit<Element> {
    edit.check(count: count)
    return edit
  }
}

// MARK: Order

extension KeyValueMutableArray {
  /// Exchanges two elements: one replacement of both, none if it is one place.
  public func swapAt(_ left: Int, _ right: Int) {
    reorder { array in
      var order = Array(array.indices)
      order.swapAt(left, right)
      return order
    }
  }

  /// Turns the order around: one replacement of the places that change.
  public func reverse() {
    reorder { $0.indices.reversed() }
  }

  /// Sorts the array: one replacement of the places that change, none if it was sorted. Equal
  /// elements keep their order.
  ///
  /// If the closure throws, nothing is moved and nobody is told. It is asked again if a prior
  /// callback has changed the array.
  public func sort<Failure: Error>(
    by areInIncreasingOrder: (Element, Element) throws(Failure) -> Bool
  ) throws(Failure) {
    var failure: Failure?
    reorder { array in
      do {
        // Sorted by index where neither comes first: the standard library does not promise
        // stability.
        return try array.indices.sorted { left, right in
          if try areInIncreasingOrder(array[left], array[right]) { return true }
          if try areInIncreasingOrder(array[right], array[left]) { return false }
          return left < right
        }
      } catch {
        failure = error as? Failure
        return Array(array.indices)
      }
    }
    if let failure { throw failure }
  }

  /// Puts at each place the element from another one.
  private func reorder(_ sources: ([Element]) -> [Int]) {
    access.edit {
      let array = access.elements()
      let sources = sources(array)
      let moved = array.indices.filter { sources[$0] != $0 }
      if moved.isEmpty { return nil }
      return .replacement(RangeSet(places: moved), moved.map { array[sources[$0]] })
    }
  }
}

extension KeyValueMutableArray where Element: Comparable {
  /// Sorts the array: one replacement of the places that change, none if it was sorted.
  public func sort() { sort(by: <) }
}
