extension Edit {
  /// The removals and insertions of a change that sets an array, nil if they are not known.
  @usableFromInline
  func difference<Element>(
    settingTo new: [Element], from old: [Element], _ comparison: ElementComparison<Element>
  ) -> CollectionDifference<Element>? {
    (self as? ComposedEdit)?.composition.difference(from: old, to: new, comparison)
  }
}

extension EditComposition {
  /// The removals and insertions of the composed change, as observers of the elements receive them;
  /// none if it leaves the same elements (P37).
  ///
  /// Elements that were removed and others that were inserted between the same two are compared, so
  /// that an element that was removed and inserted again is in no difference.
  ///
  /// - `old`: The array before all edits.
  /// - `new`: The array after all edits.
  ///
  /// - Complexity: That of a comparison of the changed elements; of both arrays if they have as many
  ///   elements.
  func difference<Element>(
    from old: [Element], to new: [Element], _ comparison: ElementComparison<Element>
  ) -> CollectionDifference<Element> {
    guard old.count == formerCount, new.count == count else {
      return comparison.difference(from: old, to: new)
    }
    if old.count == new.count, zip(old, new).allSatisfy(comparison.areSame) {
      return CollectionDifference([])!
    }
    // All removals first: `CollectionDifference` takes eight times as long to sort them itself.
    var removals: [CollectionDifference<Element>.Change] = []
    var insertions: [CollectionDifference<Element>.Change] = []
    forEachRun { position in
      let (former, current) = (position.formerIndexes, position.indexes)
      switch position.run.kind {
      case .kept: break
      case .replaced:
        for (offset, index) in zip(former, current)
        where !comparison.areSame(old[offset], new[index]) {
          removals.append(.remove(offset: offset, element: old[offset], associatedWith: nil))
          insertions.append(.insert(offset: index, element: new[index], associatedWith: nil))
        }
      case .exchanged where former.isEmpty:
        for index in current {
          insertions.append(.insert(offset: index, element: new[index], associatedWith: nil))
        }
      case .exchanged where current.isEmpty:
        for offset in former {
          removals.append(.remove(offset: offset, element: old[offset], associatedWith: nil))
        }
      case .exchanged:
        let difference = comparison.difference(from: Array(old[former]), to: Array(new[current]))
        removals += difference.removals.map { $0.moved(by: former.lowerBound) }
        insertions += difference.insertions.map { $0.moved(by: current.lowerBound) }
      }
    }
    return CollectionDifference(removals + insertions)!
  }
}
