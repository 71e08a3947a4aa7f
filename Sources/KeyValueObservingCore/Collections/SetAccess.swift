/// How a proxy reads and edits a set, whatever the property says of its members.
protocol SetAccess<Member> {
  associatedtype Member: Hashable

  var count: Int { get }
  var members: Set<Member> { get }

  /// The member that equals another value.
  func member(equalTo other: Member) -> Member?

  /// Makes one edit. Returns whether it changed anything.
  ///
  /// - `plan`: Says what is to be done to the set as it is. It is asked again after prior
  ///   notifications.
  func edit(_ plan: () -> SetEdit<Member>) -> Bool
}

/// The set in a property, with members of the type that they have there.
struct PropertySet<Member: Hashable>: SetAccess {
  let access: CollectionAccess<Set<Member>>

  var count: Int { access.value().count }
  var members: Set<Member> { access.value() }

  func member(equalTo other: Member) -> Member? {
    let members = access.value()
    return members.firstIndex(of: other).map { members[$0] }
  }

  func edit(_ plan: () -> SetEdit<Member>) -> Bool {
    var planned: SetEdit<Member>?
    access.change(
      {
        let edit = plan()
        planned = edit.isEmpty ? nil : edit
        return planned.map(description)
      },
      {
        if let planned { access.mutate { planned.apply(to: &$0) } }
        return nil
      })
    return planned != nil
  }

  /// The planned change of which observers are notified for a mutation.
  private func description(of edit: SetEdit<Member>) -> ChangeDescription {
    ChangeDescription(
      Edit(edit.kind, at: nil), removing: { _ in access.box(edit.removed) },
      adding: { _ in access.box(edit.added) })
  }
}
