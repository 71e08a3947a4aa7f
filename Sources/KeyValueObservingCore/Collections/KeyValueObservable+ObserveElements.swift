extension KeyValueObservable {
  /// Observes insertions into and removals from an array, comparing elements by equality.
  ///
  /// `changeHandler` is called after each change that leaves other elements, or the same in another
  /// order: after a mutation through a proxy, a plain mutation, an assignment, or because the key
  /// path leads to another array (P37). Timing, order and lifetime are those of
  /// `observe(_:options:isolation:changeHandler:)`; there is no initial call. The observation lasts
  /// until the returned token is invalidated or deinitialized.
  ///
  /// Elements are not retained (P5). If the array is computed from a weakly referenced object that
  /// was deallocated, its former elements are unknown (P27): the difference is empty then, and the
  /// handler should read the array.
  ///
  /// The handler receives the fewest insertions and removals that make one array of the other. Two
  /// cases may have more, once there are more than a thousand of them: elements that are
  /// `Equatable` and neither `Hashable` nor `Comparable`, and arrays of more than 32,768 elements
  /// of which many are repeated often.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of an array.
  ///   - isolation: The actor to which the observation belongs: the caller's by default. Passing
  ///     nil requires a `@Sendable` closure.
  ///   - changeHandler: The handler, called with the object and the difference.
  /// - Returns: A token that ends the observation when it is invalidated or deinitialized.
  ///
  /// - Complexity: A mutation through a proxy takes time in proportion to the mutation. After any
  ///   other change, the *n* elements between the first and the last difference are compared, in
  ///   O(*n* log *n*) if they are `Hashable` or `Comparable` and few of them are repeated. If many
  ///   are, or if they are `Equatable` only, *d* differences take O(*n* + *d*²) up to a thousand.
  ///   More of them take O(*n*²) bit operations in words of 64, or O(*n*) again for each thousand
  ///   if elements are `Equatable` only. Plain mutation copies the array once.
  @inlinable
  public func observeElements<Element: Equatable>(
    of keyPath: KeyPath<Self, [Element]>, isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Self, KeyValueElementsChange<Element>) -> Void
  ) -> KeyValueObservation {
    observeElements(of: keyPath, .byEquality, isolation, changeHandler)
  }

  /// Observes insertions into and removals from an array of objects, comparing them by identity.
  ///
  /// Everything else is as for elements that are `Equatable`.
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

  /// Observes insertions into and removals from an array of objects, comparing them by equality.
  ///
  /// Everything else is as for elements that are not objects.
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
  /// Whether the former elements are unknown, because an object that they came from was deallocated
  /// (P27).
  @inlinable
  var lacksFormerElements: Bool { kind == .setting && oldValue == nil && !traits.hadNoValue }

  /// The removals and insertions; none if they are unknown.
  @inlinable
  func elementDifference<Element>(
    _ comparison: ElementComparison<Element>
  ) -> CollectionDifference<Element> where Value == [Element] {
    if lacksFormerElements { return CollectionDifference([])! }
    let old = oldValue ?? []
    let new = newValue ?? []
    guard let edit else { return comparison.difference(from: old, to: new) }
    if kind == .setting, let exact = edit.difference(settingTo: new, from: old, comparison) {
      return exact
    }
    let places = edit.places
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
