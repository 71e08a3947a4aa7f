internal import CKeyValueObserving

/// A collection whose edits can be taken back.
private protocol ReversibleCollection: ElementwiseChangeable {
  /// The collection before an edit that has removed elements and added others; nil if the edit does not fit
  /// what it is now.
  func takingBack(_ edit: Edit, removed: Any?, added: Any?) -> Self?
  /// Whether an edit that has removed elements and added others makes it of a former collection, as far as its
  /// elements can be compared.
  func isResult(of edit: Edit, on former: Any, removed: Any?, added: Any?) -> Bool
  /// A collection without elements.
  var emptied: Self { get }
  /// The members that were removed from a set and inserted into it since it was a former one, with those that were
  /// exchanged for equal ones; nil if none was.
  ///
  /// - `added`: All that edits have added.
  func exchange(from former: Any, adding added: [Any]) -> (removed: Any, added: Any)?
}

extension Array: ReversibleCollection {
  fileprivate var emptied: [Element] { [] }

  fileprivate func exchange(from _: Any, adding _: [Any]) -> (removed: Any, added: Any)? { nil }

  fileprivate func takingBack(_ edit: Edit, removed: Any?, added: Any?) -> [Element]? {
    if edit.kind != .removal, let isSame = sameness(of: Element.self) {
      guard let added = added as? [Element],
        elements(at: edit).elementsEqual(added, by: isSame.callAsFunction)
      else { return nil }
    }
    return changed(edit.kind.inverse, at: edit.indexes, from: added, to: removed)
  }

  fileprivate func isResult(of edit: Edit, on former: Any, removed _: Any?, added: Any?) -> Bool {
    guard let former = former as? [Element] else { return false }
    var edits = EditComposition(count: former.count)
    edits.add(edit)
    guard isResult(of: edits, on: former) else { return false }
    guard edit.kind != .removal, let added = added as? [Element] else { return true }
    let present = elements(at: edit)
    return present.hasSameElements(in: present.indices, as: added, in: added.indices)
  }

  func isResult(of edits: EditComposition, on former: Any) -> Bool {
    guard edits.isExact, let former = former as? [Element], former.count == edits.formerCount,
      count == edits.count
    else { return false }
    var areKept = true
    edits.forEachRun { position in
      if !areKept || position.run.kind != .kept { return }
      areKept = hasSameElements(in: position.indexes, as: former, in: position.formerIndexes)
    }
    return areKept
  }

  /// Whether its elements in a range are those of another array, as far as they can be compared.
  private func hasSameElements(
    in indexes: Range<Int>, as other: [Element], in otherIndexes: Range<Int>
  ) -> Bool {
    if indexes.count != otherIndexes.count { return false }
    if indexes.isEmpty { return true }
    // Mostly a getter returns the elements that a setter was given.
    let haveSameBytes = withUnsafeBufferPointer { elements in
      other.withUnsafeBufferPointer { others in
        kvo_has_same_bytes(
          elements.baseAddress! + indexes.lowerBound, others.baseAddress! + otherIndexes.lowerBound,
          indexes.count * MemoryLayout<Element>.stride)
      }
    }
    if haveSameBytes { return true }
    let (elements, others) = (self[indexes], other[otherIndexes])
    // All at once, since a comparison of each calls a closure.
    if let areSame = equality(of: ArraySlice<Element>.self) { return areSame(elements, others) }
    guard let isSame = sameness(of: Element.self) else { return true }
    return elements.elementsEqual(others, by: isSame.callAsFunction)
  }
}

extension Set: ReversibleCollection {
  fileprivate var emptied: Set { [] }

  fileprivate func exchange(
    from former: Any, adding added: [Any]
  ) -> (removed: Any, added: Any)? {
    // Texts that are equal may be stored in different ways, and are the same.
    guard let former = former as? Set, Element.self != String.self else { return nil }
    var exchanged: Set = []
    for case let members as Set in added {
      for member in members where isExchanged(member, from: former) { exchanged.insert(member) }
    }
    if exchanged.isEmpty { return nil }
    return (
      former.filter { !contains($0) || exchanged.contains($0) },
      filter { !former.contains($0) || exchanged.contains($0) }
    )
  }

  /// Whether what equals a member is another value than it was in a former set.
  private func isExchanged(_ member: Element, from former: Set) -> Bool {
    guard let before = former.firstIndex(of: member), let now = firstIndex(of: member) else {
      return false
    }
    // Values that differ only in what does not show, such as how a text in them is stored, are taken for others: undoing
    // their exchange shows nothing.
    return withUnsafeBytes(of: former[before]) { before in
      withUnsafeBytes(of: self[now]) { now in !before.elementsEqual(now) }
    }
  }

  fileprivate func takingBack(_ edit: Edit, removed: Any?, added: Any?) -> Set? {
    let (leaving, coming) = (added as? Set ?? [], removed as? Set ?? [])
    // A member that was replaced by an equal one is among both.
    guard leaving.isSubset(of: self), coming.subtracting(leaving).isDisjoint(with: self) else {
      return nil
    }
    return changed(edit.kind.inverse, at: nil, from: leaving, to: coming)
  }

  fileprivate func isResult(of edit: Edit, on former: Any, removed: Any?, added: Any?) -> Bool {
    self == (former as? Set)?.changed(edit.kind, at: nil, from: removed, to: added)
  }
}

/// All that leaves a set and all that comes, where members make way for equal ones.
struct MemberExchange {
  let removed: AnyValueBox
  let added: AnyValueBox
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

  /// Whether an edit that has removed elements and added others makes the collection of a former one, as far as its
  /// elements can be compared.
  ///
  /// - Complexity: O(*n*) in the length of the collection.
  func isResult(
    of edit: Edit, on former: AnyValueBox, removed: AnyValueBox?, added: AnyValueBox?
  ) -> Bool {
    guard let (present, former) = collections(from: former) else { return false }
    return present.isResult(
      of: edit, on: former, removed: removed?.anyValue, added: added?.anyValue)
  }

  /// The same for composed edits of an array, which have added the elements that are there now.
  ///
  /// - Complexity: O(*n*) in the length of the array.
  func isResult(of edits: EditComposition, on former: AnyValueBox) -> Bool {
    guard let (present, former) = collections(from: former) else {
      return edits.isExact && edits.edits.isEmpty
    }
    return (present as? any ArrayEditedInPlace)?.isResult(of: edits, on: former) ?? false
  }

  /// The members that were removed from a set and inserted into it since it was a former one, with those that were
  /// exchanged for equal ones; nil if none was.
  func exchange(from former: AnyValueBox, adding added: [AnyValueBox]) -> MemberExchange? {
    guard let (present, former) = collections(from: former),
      let exchange = present.exchange(from: former, adding: added.map(\.anyValue)),
      let removed = boxOfSameType(exchange.removed), let added = boxOfSameType(exchange.added)
    else { return nil }
    return MemberExchange(removed: removed, added: added)
  }

  /// The collection and a former one, where nil stands for one without elements; nil if both are nil, or none is a
  /// collection.
  private func collections(
    from former: AnyValueBox
  ) -> (present: any ReversibleCollection, former: any ReversibleCollection)? {
    let present = anyValue as? any ReversibleCollection
    let former = former.anyValue as? any ReversibleCollection
    return (present ?? former?.emptied).map { present in
      (present, former ?? present.emptied)
    }
  }

  /// A collection of the same type without elements; nil if the value is no collection.
  var emptied: AnyValueBox? {
    ((anyValue as? any ReversibleCollection)?.emptied).flatMap { boxOfSameType($0) }
  }
}
