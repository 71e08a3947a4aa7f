/// Compares the elements of two versions of an array.
@usableFromInline
struct ElementComparison<Element> {
  @usableFromInline
  let areSame: (Element, Element) -> Bool
  /// Numbers the elements of two versions of an array; nil if they can only be compared.
  @usableFromInline
  let numbered: (_ former: ArraySlice<Element>, _ current: ArraySlice<Element>) -> NumberedElements?

  @usableFromInline
  init(
    areSame: @escaping (Element, Element) -> Bool,
    numbered: @escaping (ArraySlice<Element>, ArraySlice<Element>) -> NumberedElements?
  ) {
    self.areSame = areSame
    self.numbered = numbered
  }

  /// The removals and insertions that turn one array into another.
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
    let matching =
      numbered(former, current).map(ElementMatching.init)
      ?? ElementMatching(former.count, current.count) {
        areSame(former[former.startIndex + $0], current[current.startIndex + $1])
      }
    // Sorted by offset, since `CollectionDifference` takes eight times as long to sort them itself.
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
    ElementComparison(areSame: { $0 == $1 }, numbered: { NumberedElements.ifPossible($0, $1) })
  }
}

extension ElementComparison where Element: AnyObject {
  @inlinable
  static var byIdentity: ElementComparison {
    ElementComparison(areSame: { $0 === $1 }, numbered: { NumberedElements.objects($0, $1) })
  }
}
