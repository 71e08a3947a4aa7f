/// A set property of an object, whose members it changes one edit at a time.
///
/// Its edits tell observers of the property which members were added or removed: the values of the
/// change are those alone, and it has no indexes (P35). Each edit is one change, delivered
/// synchronously before the method returns, to observers who came before or after the proxy was
/// made. An edit that changes nothing says nothing.
///
/// It keeps the object, and shows the set as it is at any time. After `mutableSetValue` of Apple's
/// KVO.
public struct KeyValueMutableSet<Element: Hashable> {
  let access: CollectionAccess<Set<Element>>

  /// Adds a member: one insertion, none if it is there already. Returns whether it was added.
  @discardableResult
  public func insert(_ member: Element) -> Bool {
    edit { SetEdit(.insertion, added: $0.contains(member) ? [] : [member]) }
  }

  /// Removes a member: one removal, none if it is not there. Returns it as it was in the set.
  @discardableResult
  public func remove(_ member: Element) -> Element? {
    let present = access.value()
    guard let place = present.firstIndex(of: member) else { return nil }
    let removed = present[place]
    edit { SetEdit(.removal, removed: $0.contains(member) ? [removed] : []) }
    return removed
  }

  /// Adds members: one insertion of those that were not there.
  public func formUnion(_ members: some Sequence<Element>) {
    edit { SetEdit(.insertion, added: Set(members).subtracting($0)) }
  }

  /// Removes members: one removal of those that were there.
  public func subtract(_ members: some Sequence<Element>) {
    edit { SetEdit(.removal, removed: $0.intersection(members)) }
  }

  /// Removes all but some members: one removal of those that were there.
  public func formIntersection(_ members: some Sequence<Element>) {
    edit { SetEdit(.removal, removed: $0.subtracting(members)) }
  }

  /// Makes the set have these members and no others: one replacement, whose values are the members
  /// that are removed and added (B-20).
  public func assign(_ members: some Sequence<Element>) {
    edit { present in
      let members = Set(members)
      return SetEdit(
        .replacement, removed: present.subtracting(members), added: members.subtracting(present))
    }
  }

  /// Removes every member: one removal, none if there was no member.
  public func removeAll() {
    edit { SetEdit(.removal, removed: $0) }
  }

  /// Makes one edit of the set. Returns whether it changed anything.
  @discardableResult
  private func edit(_ plan: (Set<Element>) -> SetEdit<Element>) -> Bool {
    var planned: SetEdit<Element>?
    access.change(
      {
        let edit = plan(access.value())
        planned = edit.isEmpty ? nil : edit
        return planned.map(\.announcement)
      },
      { if let planned { access.mutate { planned.apply(to: &$0) } } })
    return planned != nil
  }
}

extension KeyValueObservable {
  /// Returns a proxy for a set property, whose edits tell observers which members changed.
  ///
  /// - Parameter keyPath: The property. A path of several links belongs to the object that is at its
  ///   end now.
  ///
  /// Complexity: O(1) for a property. An edit takes time in proportion to its members where the
  /// property is spelled as a set (`Set<String>`), and copies the set else.
  public func mutableSetValue<Element>(
    for keyPath: ReferenceWritableKeyPath<Self, Set<Element>>
  ) -> KeyValueMutableSet<Element> {
    KeyValueMutableSet(access: CollectionAccess(to: keyPath, of: self))
  }
}

/// One change of the members of a set.
private struct SetEdit<Element: Hashable> {
  let kind: KeyValueChangeKind
  let removed: Set<Element>
  let added: Set<Element>

  init(_ kind: KeyValueChangeKind, removed: Set<Element> = [], added: Set<Element> = []) {
    self.kind = kind
    self.removed = removed
    self.added = added
  }

  var isEmpty: Bool { removed.isEmpty && added.isEmpty }

  var announcement: PlannedChange {
    PlannedChange(
      edit: Edit(kind, at: nil), old: kind == .insertion ? nil : { ValueBox(removed) },
      new: kind == .removal ? nil : { ValueBox(added) })
  }

  func apply(to set: inout Set<Element>) {
    for member in removed { set.remove(member) }
    for member in added { set.insert(member) }
  }
}

// MARK: Reading

extension KeyValueMutableSet: Collection {
  public var startIndex: Set<Element>.Index { access.value().startIndex }
  public var endIndex: Set<Element>.Index { access.value().endIndex }
  public var count: Int { access.value().count }

  public subscript(place: Set<Element>.Index) -> Element { access.value()[place] }

  public func index(after place: Set<Element>.Index) -> Set<Element>.Index {
    access.value().index(after: place)
  }

  public func makeIterator() -> Set<Element>.Iterator { access.value().makeIterator() }

  /// Whether the set has a member.
  ///
  /// Complexity: O(1).
  public func contains(_ member: Element) -> Bool { access.value().contains(member) }
}
