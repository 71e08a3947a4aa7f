/// A proxy for a set property of an object, each of whose mutations is one change.
///
/// Observers of the property are notified of the members that were added or removed: the values of
/// the change are those alone, and it has no indexes (P35). Changes are delivered synchronously
/// before the method returns, to observers added before or after the proxy was made. A mutation
/// that changes nothing sends no notification.
///
/// The proxy retains the object, and always shows the current set. After `mutableSetValue` of
/// Apple's KVO.
public struct KeyValueMutableSet<Element: Hashable> {
  let access: any SetAccess<Element>

  init(_ access: some SetAccess<Element>) {
    self.access = access
  }

  /// Adds a member: one insertion, none if it is there already.
  ///
  /// Returns whether it was added.
  ///
  /// - Parameter member: The member to insert.
  /// - Returns: Whether the member was inserted: false if an equal one is in the set.
  @discardableResult
  public func insert(_ member: Element) -> Bool {
    access.edit { SetEdit(.insertion, added: contains(member) ? [] : [member]) }
  }

  /// Removes a member: one removal, none if it is not there.
  ///
  /// Returns it as it was in the set.
  ///
  /// - Parameter member: The member to remove.
  /// - Returns: The removed member, if there was one.
  @discardableResult
  public func remove(_ member: Element) -> Element? {
    var removed: Element?
    _ = access.edit {
      removed = access.member(equalTo: member)
      return SetEdit(.removal, removed: removed.map { [$0] } ?? [])
    }
    return removed
  }

  /// Adds members: one insertion of those that were not there.
  ///
  /// - Parameter members: The members to insert.
  public func formUnion(_ members: some Sequence<Element>) {
    let members = Set(members)
    _ = access.edit { SetEdit(.insertion, added: members.filter { !contains($0) }) }
  }

  /// Removes members: one removal of those that were there.
  ///
  /// - Parameter members: The members to remove.
  public func subtract(_ members: some Sequence<Element>) {
    let members = Set(members)
    _ = access.edit {
      SetEdit(.removal, removed: Set(members.compactMap { access.member(equalTo: $0) }))
    }
  }

  /// Removes all but some members: one removal of those that were there.
  ///
  /// - Parameter members: The members to keep.
  public func formIntersection(_ members: some Sequence<Element>) {
    let members = Array(members)
    _ = access.edit {
      SetEdit(.removal, removed: access.members.subtracting(likened(members)))
    }
  }

  /// Replaces all members, as one replacement whose values are the removed and the added members.
  ///
  /// Guarantee: P35.
  ///
  /// - Parameter members: All members that the set shall have.
  public func assign(_ members: some Sequence<Element>) {
    let members = Array(members)
    _ = access.edit {
      let present = access.members
      let members = likened(members)
      return SetEdit(
        .replacement, removed: present.subtracting(members), added: members.subtracting(present))
    }
  }

  /// Removes every member: one removal, none if there was no member.
  public func removeAll() {
    _ = access.edit { SetEdit(.removal, removed: access.members) }
  }

  /// The members with those in the set in place of what equals them there: converted to what the set
  /// holds, values may be equal that were not before.
  func likened(_ members: [Element]) -> Set<Element> {
    Set(members.map { access.member(equalTo: $0) ?? $0 })
  }
}

extension KeyValueObservable {
  /// Returns a proxy for a set property, whose mutations notify observers of single members.
  ///
  /// - Parameter keyPath: The property. If the path leads through other objects, the proxy belongs
  ///   to the object that is at its end now.
  /// - Returns: A proxy for the set.
  ///
  /// - Complexity: O(1) for a property. A mutation takes time in proportion to its members if the
  ///   property is declared as a set (`Set<String>`); otherwise it copies the set.
  public func mutableSetValue<Element>(
    for keyPath: ReferenceWritableKeyPath<Self, Set<Element>>
  ) -> KeyValueMutableSet<Element> {
    KeyValueMutableSet(PropertySet(access: CollectionAccess(to: keyPath, of: self)))
  }
}

// MARK: Reading

extension KeyValueMutableSet: Collection {
  /// The index of the first member.
  public var startIndex: Set<Element>.Index { access.members.startIndex }

  /// The index behind the last member.
  public var endIndex: Set<Element>.Index { access.members.endIndex }

  /// The number of members.
  public var count: Int { access.count }

  /// The member at an index.
  ///
  /// - Parameter place: An index of the set.
  public subscript(place: Set<Element>.Index) -> Element { access.members[place] }

  /// Returns the index after another one.
  ///
  /// - Parameter place: An index of the set.
  /// - Returns: The index of the next member, or `endIndex`.
  public func index(after place: Set<Element>.Index) -> Set<Element>.Index {
    access.members.index(after: place)
  }

  /// Iterates over the members that are there when it is made.
  public func makeIterator() -> Set<Element>.Iterator { access.members.makeIterator() }

  /// Whether the set has a member.
  ///
  /// - Parameter member: A value to look for.
  /// - Returns: Whether the set has an equal member.
  ///
  /// - Complexity: O(1).
  public func contains(_ member: Element) -> Bool { access.member(equalTo: member) != nil }
}

extension KeyValueMutableSet: MemberCollection {
  var members: Members { Members(access.members.map { flatten($0) }, as: .set) }

  /// A proxy stands for a property that a value does not have.
  init?(converting members: Members) { nil }
}

extension KeyValueMutableSet: CustomStringConvertible {
  /// The members, as a set shows them.
  public var description: String { access.members.description }
}
