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
  /// The handler receives the fewest insertions and removals that make one array of the other. Two cases
  /// may have more, once there are more than a thousand of them: elements that are `Equatable` and
  /// neither `Hashable` nor `Comparable`, and arrays of more than 32,768 elements of which many are
  /// repeated often.
  ///
  /// - Parameters:
  ///   - keyPath: The array.
  ///   - isolation: The actor to which the observation belongs (P40): the caller's, if there is one.
  ///     Passing nil takes a `@Sendable` closure.
  ///   - changeHandler: Receives the object and what was removed and inserted.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: An edit of a proxy takes time in proportion to the edit. After any other change, the *n*
  ///   elements between the first and the last difference are compared, in O(*n* log *n*) if they are
  ///   `Hashable` or `Comparable` and few of them are repeated. Where many are, and where they are
  ///   `Equatable` only, *d* differences take O(*n* + *d*²) up to a thousand. More of them take O(*n*²) bit
  ///   operations in words of 64, or O(*n*) again for each thousand where elements are `Equatable` only.
  ///   Plain mutation copies the array once.
  @inlinable
  public func observeElements<Element: Equatable>(
    of keyPath: KeyPath<Self, [Element]>, isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, .byEquality, isolation, changeHandler)
  }

  /// Observes which objects in an array come and go, telling them apart by identity.
  ///
  /// Everything else is as with elements that are `Equatable`.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of an array.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - changeHandler: The handler, called with the object and the difference.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  @inlinable
  public func observeElements<Element: AnyObject>(
    of keyPath: KeyPath<Self, [Element]>, isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, .byIdentity, isolation, changeHandler)
  }

  /// Observes which objects in an array come and go, telling them apart by equality.
  ///
  /// Everything else is as with elements that are not objects.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of an array.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - changeHandler: The handler, called with the object and the difference.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  @inlinable
  public func observeElements<Element: AnyObject & Equatable>(
    of keyPath: KeyPath<Self, [Element]>, isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, .byEquality, isolation, changeHandler)
  }

  @inlinable
  func observeElements<Element>(
    of keyPath: KeyPath<Self, [Element]>, _ comparison: ElementComparison<Element>,
    _ actor: isolated (any Actor)?,
    _ changeHandler: @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observe(keyPath, options: [.old, .new], isolation: actor) { subject, change in
      let difference = change.elementDifference(comparison)
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
    _ comparison: ElementComparison<Element>
  ) -> CollectionDifference<Element> where Value == [Element] {
    if lacksFormerElements { return CollectionDifference([])! }
    let old = oldValue ?? []
    let new = newValue ?? []
    guard let edit else { return comparison.difference(from: old, to: new) }
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
      let replaced = zip(places, zip(old, new)).filter { !comparison.areSame($1.0, $1.1) }
      // All removals first: `CollectionDifference` takes eight times as long to sort them itself.
      for (offset, (former, _)) in replaced {
        changes.append(.remove(offset: offset, element: former, associatedWith: nil))
      }
      for (offset, (_, element)) in replaced {
        changes.append(.insert(offset: offset, element: element, associatedWith: nil))
      }
    }
    return CollectionDifference(changes)!
  }
}
