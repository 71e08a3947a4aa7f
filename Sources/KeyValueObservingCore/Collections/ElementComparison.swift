/// How the elements of two versions of an array are told apart.
@usableFromInline
struct ElementComparison<Element> {
  @usableFromInline
  let areSame: (Element, Element) -> Bool
  /// For each element of an array, whether another array may have the same one.
  @usableFromInline
  let mayBeFound: (_ elements: ArraySlice<Element>, _ others: ArraySlice<Element>) -> [Bool]

  @usableFromInline
  init(
    areSame: @escaping (Element, Element) -> Bool,
    mayBeFound: @escaping (ArraySlice<Element>, ArraySlice<Element>) -> [Bool]
  ) {
    self.areSame = areSame
    self.mayBeFound = mayBeFound
  }

  /// What has to be removed from an array, and inserted into it, to get another.
  @inlinable
  func difference(from old: [Element], to new: [Element]) -> CollectionDifference<Element> {
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, areSame(old[start], new[start]) { start += 1 }
    var tail = 0
    while tail < shorter - start, areSame(old[old.count - 1 - tail], new[new.count - 1 - tail]) {
      tail += 1
    }
    let former = old[start..<(old.count - tail)]
    let current = new[start..<(new.count - tail)]
    let changes =
      former.count + current.count > 200
      ? changesOfMany(from: former, to: current)
      : current.difference(from: former, by: areSame).map { $0.moved(by: start) }
    return CollectionDifference(changes)!
  }

  /// The changes where there are so many elements that the standard library may take long: its time grows
  /// with the square of the differences.
  @inlinable
  func changesOfMany(
    from former: ArraySlice<Element>, to current: ArraySlice<Element>
  ) -> [CollectionDifference<Element>.Change] {
    let matching = ElementMatching(mayBeFound(former, current), mayBeFound(current, former)) {
      areSame(former[former.startIndex + $0], current[current.startIndex + $1])
    }
    var changes: [CollectionDifference<Element>.Change] = []
    for (place, isRemoved) in zip(former.indices, matching.isRemoved) where isRemoved {
      changes.append(.remove(offset: place, element: former[place], associatedWith: nil))
    }
    for (place, isInserted) in zip(current.indices, matching.isInserted) where isInserted {
      changes.append(.insert(offset: place, element: current[place], associatedWith: nil))
    }
    return changes
  }
}

extension CollectionDifference.Change {
  @inlinable
  func moved(by distance: Int) -> Self {
    switch self {
    case .insert(let offset, let element, _):
      .insert(offset: offset + distance, element: element, associatedWith: nil)
    case .remove(let offset, let element, _):
      .remove(offset: offset + distance, element: element, associatedWith: nil)
    }
  }
}

extension ElementComparison where Element: Equatable {
  @inlinable
  static var byEquality: ElementComparison {
    ElementComparison(areSame: { $0 == $1 }, mayBeFound: mayBeAmong)
  }
}

extension ElementComparison where Element: AnyObject {
  @inlinable
  static var byIdentity: ElementComparison {
    ElementComparison(areSame: { $0 === $1 }, mayBeFound: areAmong)
  }
}

/// For each element, whether it may have an equal among others: where it cannot be hashed, it may.
@usableFromInline
func mayBeAmong<Element>(
  _ elements: ArraySlice<Element>, _ others: ArraySlice<Element>
) -> [Bool] {
  func areHashed<Key: Hashable>(_: Key.Type) -> [Bool] {
    // `Key` is `Element`.
    areContained(elements as! ArraySlice<Key>, in: others as! ArraySlice<Key>)
  }
  guard let type = Element.self as? any Hashable.Type else {
    return Array(repeating: true, count: elements.count)
  }
  return areHashed(type)
}

/// For each object, whether it is among others.
@usableFromInline
func areAmong<Element: AnyObject>(
  _ elements: ArraySlice<Element>, _ others: ArraySlice<Element>
) -> [Bool] {
  areContained(elements.map(ObjectIdentifier.init), in: others.map(ObjectIdentifier.init))
}

private func areContained<Key: Hashable>(
  _ keys: some Collection<Key>, in others: some Collection<Key>
) -> [Bool] {
  // What does not even equal itself, such as a NaN, is in no set. Many of them would be compared each
  // with each.
  let others = Set(others.lazy.filter { $0 == $0 })
  return keys.map(others.contains)
}
