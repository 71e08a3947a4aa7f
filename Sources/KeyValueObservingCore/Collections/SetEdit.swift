/// One change of the members of a set, with those that really come and go (P35).
struct SetEdit<Member: Hashable> {
  let kind: KeyValueChangeKind
  let removed: Set<Member>
  let added: Set<Member>

  init(_ kind: KeyValueChangeKind, removed: Set<Member> = [], added: Set<Member> = []) {
    self.kind = kind
    self.removed = removed
    self.added = added
  }

  var isEmpty: Bool { removed.isEmpty && added.isEmpty }

  func apply(to set: inout Set<Member>) {
    for member in removed { set.remove(member) }
    for member in added { set.insert(member) }
  }
}
