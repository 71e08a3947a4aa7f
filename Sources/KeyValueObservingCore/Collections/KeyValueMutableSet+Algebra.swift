extension KeyValueMutableSet {
  /// Adds a member, in place of the one that equals it: one insertion if there is none, else one
  /// replacement.
  ///
  /// Returns the member that was replaced.
  ///
  /// - Parameter member: The member to insert.
  /// - Returns: The member that was replaced, if there was one.
  @discardableResult
  public func update(with member: Element) -> Element? {
    var replaced: Element?
    _ = access.edit {
      replaced = access.member(equalTo: member)
      guard let replaced else { return SetEdit(.insertion, added: [member]) }
      return SetEdit(.replacement, removed: [replaced], added: [member])
    }
    return replaced
  }

  /// Removes the members that are in a sequence, and adds those of the sequence that are not in the
  /// set: one replacement, or one insertion if nothing is removed, or one removal if nothing is
  /// added.
  ///
  /// - Parameter members: The values to insert where the set does not have them, and to remove
  ///   where it does.
  ///
  /// - Complexity: O(*n* + *m*) for *n* members and *m* elements of the sequence.
  public func formSymmetricDifference(_ members: some Sequence<Element>) {
    let members = Array(members)
    _ = access.edit {
      let present = access.members
      let members = likened(members)
      let removed = present.intersection(members)
      let added = members.subtracting(present)
      let kind: KeyValueChangeKind =
        removed.isEmpty ? .insertion : added.isEmpty ? .removal : .replacement
      return SetEdit(kind, removed: removed, added: added)
    }
  }

  /// Removes the members for which a closure returns true: one removal, none if there are no such
  /// members.
  ///
  /// If the closure throws, nothing is removed and no observer is notified. It is called again if a
  /// prior callback has changed the set.
  ///
  /// - Parameter isRemoved: Returns whether to remove a member.
  /// - Throws: Any error that the closure throws.
  ///
  /// - Complexity: O(*n*) for *n* members.
  public func removeAll<Failure: Error>(
    where isRemoved: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    var failure: Failure?
    _ = access.edit {
      do throws(Failure) {
        var removed: Set<Element> = []
        for member in access.members where try isRemoved(member) { removed.insert(member) }
        return SetEdit(.removal, removed: removed)
      } catch {
        failure = error
        return SetEdit(.removal)
      }
    }
    if let failure { throw failure }
  }

  /// Removes some member and returns it: one removal.
  ///
  /// Returns nil if there is no member.
  @discardableResult
  public func popFirst() -> Element? {
    var removed: Element?
    _ = access.edit {
      removed = access.members.first
      return SetEdit(.removal, removed: removed.map { [$0] } ?? [])
    }
    return removed
  }

  /// Removes some member and returns it: one removal.
  ///
  /// Traps if there is no member. `popFirst()` returns nil then.
  @discardableResult
  public func removeFirst() -> Element {
    guard let removed = popFirst() else { Trap.emptySet.stop() }
    return removed
  }
}
