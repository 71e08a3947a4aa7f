extension KeyValueObservable {
  /// Observes which elements of an array come and go, telling them apart by equality.
  ///
  /// `changeHandler` is called after each change that leaves other elements, or the same in another
  /// order: by an edit of a proxy, by plain mutation, by assignment, or because the key path leads to
  /// another array (P37). When, where and for how long it is called is as with
  /// `observe(_:options:isolation:changeHandler:)`; there is no first call. The observation lasts until
  /// the returned token is invalidated or deinitialized.
  ///
  /// It retains no element (P5). Where the array is computed from something weak that has died, nobody
  /// knows what it was (P27): the difference is empty then, and the array is to be read anew.
  ///
  /// - Parameters:
  ///   - keyPath: The array.
  ///   - isolation: The actor to which the observation belongs (P40): the caller's, unless another
  ///     one or nil is passed. With nil the closure is called where changes are made.
  ///   - changeHandler: Receives the object and what was removed and inserted.
  ///
  /// Complexity: An edit of a proxy takes time in proportion to the edit. Any other change is compared:
  /// O(*n*) for arrays that have all but few neighbouring elements in common, O(*n* · *d*) for *d*
  /// differences between. Plain mutation copies the array once.
  @inlinable
  public func observeElements<Element: Equatable>(
    of keyPath: KeyPath<Self, [Element]>, isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, { $0 == $1 }, isolation, changeHandler)
  }

  /// Observes which objects in an array come and go, telling them apart by identity.
  ///
  /// Everything else is as with elements that are `Equatable`.
  @inlinable
  public func observeElements<Element: AnyObject>(
    of keyPath: KeyPath<Self, [Element]>, isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, { $0 === $1 }, isolation, changeHandler)
  }

  /// Observes which objects in an array come and go, telling them apart by equality.
  ///
  /// Everything else is as with elements that are not objects.
  @inlinable
  public func observeElements<Element: AnyObject & Equatable>(
    of keyPath: KeyPath<Self, [Element]>, isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, { $0 == $1 }, isolation, changeHandler)
  }

  @inlinable
  func observeElements<Element>(
    of keyPath: KeyPath<Self, [Element]>, _ areSame: @escaping (Element, Element) -> Bool,
    _ actor: isolated (any Actor)?,
    _ changeHandler: @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observe(keyPath, options: [.old, .new], isolation: actor) { subject, change in
      let difference = change.elementDifference(by: areSame)
      if difference.isEmpty, !change.lacksFormerElements { return }
      changeHandler(subject, KeyValueElementsChange(difference: difference))
    }
  }
}

extension KeyValueChange {
  /// Whether the elements before it are not known, since something they came from has died (P27).
  @inlinable
  var lacksFormerElements: Bool { kind == .setting && oldValue == nil }

  /// What was removed and inserted; nothing if that is not known.
  @inlinable
  func elementDifference<Element>(
    by areSame: (Element, Element) -> Bool
  ) -> CollectionDifference<Element> where Value == [Element] {
    if lacksFormerElements { return CollectionDifference([])! }
    let old = oldValue ?? []
    let new = newValue ?? []
    guard let edit else { return new.difference(since: old, by: areSame) }
    // A change by hand may name places that no array has.
    let places = edit.places.filter { $0 >= 0 }
    var changes: [CollectionDifference<Element>.Change] = []
    switch kind {
    case .setting: break
    case .insertion:
      for (offset, element) in zip(places, new) {
        changes.append(.insert(offset: offset, element: element, associatedWith: nil))
      }
    case .removal:
      for (offset, element) in zip(places, old) {
        changes.append(.remove(offset: offset, element: element, associatedWith: nil))
      }
    case .replacement:
      for (offset, (former, element)) in zip(places, zip(old, new))
      where !areSame(former, element) {
        changes.append(.remove(offset: offset, element: former, associatedWith: nil))
        changes.append(.insert(offset: offset, element: element, associatedWith: nil))
      }
    }
    return CollectionDifference(changes)!
  }
}

extension Array {
  /// What has to be removed from and inserted into another array to get this one.
  ///
  /// The elements that both begin and end with are found first, since the standard library compares
  /// in quadratic time what differs.
  @inlinable
  func difference(
    since other: [Element], by areSame: (Element, Element) -> Bool
  ) -> CollectionDifference<Element> {
    let shorter = Swift.min(count, other.count)
    var start = 0
    while start < shorter, areSame(self[start], other[start]) { start += 1 }
    var tail = 0
    while tail < shorter - start, areSame(self[count - 1 - tail], other[other.count - 1 - tail]) {
      tail += 1
    }
    let difference = self[start..<(count - tail)]
      .difference(from: other[start..<(other.count - tail)], by: areSame)
    // Offsets of slices count from their own beginning.
    return start == 0 ? difference : difference.moved(by: start)
  }
}

extension CollectionDifference {
  @inlinable
  func moved(by distance: Int) -> CollectionDifference {
    CollectionDifference(
      map { change in
        switch change {
        case .insert(let offset, let element, _):
          .insert(offset: offset + distance, element: element, associatedWith: nil)
        case .remove(let offset, let element, _):
          .remove(offset: offset + distance, element: element, associatedWith: nil)
        }
      })!
  }
}
