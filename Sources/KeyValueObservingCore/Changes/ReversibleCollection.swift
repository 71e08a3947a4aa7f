/// A collection whose edits can be taken back.
private protocol ReversibleCollection {
  /// The collection before an edit that has removed elements and added others; nil if the edit does not fit
  /// what it is now.
  func takingBack(_ edit: Edit, removed: Any?, added: Any?) -> Self?
  /// A collection without elements.
  var emptied: Self { get }
}

extension Array: ReversibleCollection {
  fileprivate var emptied: [Element] { [] }

  fileprivate func takingBack(_ edit: Edit, removed: Any?, added: Any?) -> [Element]? {
    let inverse = ArrayEdit(edit.inverse, bringing: removed as? [Element] ?? [])
    guard inverse.misfit(count: count) == nil else { return nil }
    if edit.kind != .removal, let isSame = sameness(of: Element.self) {
      guard let added = added as? [Element],
        elements(at: edit).elementsEqual(added, by: isSame.callAsFunction)
      else { return nil }
    }
    var result = self
    inverse.apply(to: &result)
    return result
  }
}

extension Set: ReversibleCollection {
  fileprivate var emptied: Set { [] }

  fileprivate func takingBack(_ edit: Edit, removed: Any?, added: Any?) -> Set? {
    let (removed, added) = (removed as? Set ?? [], added as? Set ?? [])
    // A member that was replaced by an equal one is among both.
    guard added.isSubset(of: self), removed.subtracting(added).isDisjoint(with: self) else {
      return nil
    }
    return subtracting(added).union(removed)
  }
}

extension AnyValueBox {
  /// The collection before an edit that has removed elements and added others, as a value of the same type;
  /// nil if the edit does not fit what it is now.
  ///
  /// - Complexity: O(*n*) in the length of the collection.
  func takingBack(_ edit: Edit, removed: AnyValueBox?, added: AnyValueBox?) -> AnyValueBox? {
    let former = (anyValue as? any ReversibleCollection)?
      .takingBack(edit, removed: removed?.anyValue, added: added?.anyValue)
    return former.flatMap { boxOfSameType($0) }
  }

  /// A collection of the same type without elements; nil if the value is no collection.
  var emptied: AnyValueBox? {
    ((anyValue as? any ReversibleCollection)?.emptied).flatMap { boxOfSameType($0) }
  }
}
