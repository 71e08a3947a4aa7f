/// The edits of a set as one change (P49).
///
/// A member that was inserted and removed again leaves nothing, as does one that was removed before an
/// equal one was inserted.
struct SetEditComposition<Member: Hashable> {
  /// The members that only the set before the edits has.
  private(set) var removed: Set<Member> = []
  /// The members that only the set after the edits has.
  private(set) var added: Set<Member> = []
  /// The members that have come in place of equal ones, which are the keys.
  private var exchanged: [Member: Member] = [:]
  /// The kind of all edits since nothing was left; `setting` if they have several kinds, nil if there
  /// are none.
  private var editKind: KeyValueChangeKind?
  /// The set before all edits; nil if all changes were edits.
  private var formerSet: Set<Member>?

  // MARK: Composing

  /// Adds an edit, whose removed members are in the set, and whose added ones are not.
  ///
  /// - Complexity: O(*k*) for *k* members.
  mutating func add(_ edit: SetEdit<Member>) {
    guard !edit.isEmpty else { return }
    add(edit.kind, removed: edit.removed, added: edit.added)
  }

  /// Adds a change of the set that is no edit, and is about to be made.
  ///
  /// - `set`: The set before the change.
  mutating func addSetting(of set: Set<Member>) {
    guard formerSet == nil else { return }
    formerSet = former(of: set)
    (removed, added, exchanged) = ([], [], [:])
  }

  /// Adds the edits of another composition, which has begun with the present set: those of a nested
  /// transaction.
  ///
  /// - `set`: The set after the edits of the other composition.
  mutating func add(_ other: SetEditComposition, in set: Set<Member>) {
    if other.formerSet != nil { return addSetting(of: other.former(of: set)) }
    add(
      other.editKind, removed: other.removed.union(other.exchanged.keys),
      added: other.added.union(other.exchanged.values))
  }

  /// Without a kind, the members that are added equal those that are removed.
  private mutating func add(
    _ kind: KeyValueChangeKind?, removed: Set<Member>, added: Set<Member>
  ) {
    guard formerSet == nil else { return }
    if let kind { editKind = editKind == nil || editKind == kind ? kind : .setting }
    for member in removed { remove(member) }
    for member in added { insert(member) }
    if self.removed.isEmpty, self.added.isEmpty { editKind = nil }
  }

  private mutating func remove(_ member: Member) {
    if added.remove(member) != nil { return }
    if let entry = exchanged.index(forKey: member) {
      removed.insert(exchanged.remove(at: entry).key)
    } else {
      removed.insert(member)
    }
  }

  private mutating func insert(_ member: Member) {
    if let former = removed.remove(member) {
      exchanged[former] = member
    } else {
      added.insert(member)
    }
  }

  // MARK: Result

  /// The kind of the composed change: that of the edits if they have one, or of all that is left, else
  /// `setting`; nil if nothing is left.
  var kind: KeyValueChangeKind? {
    if formerSet != nil { return .setting }
    if removed.isEmpty, added.isEmpty { return nil }
    if editKind == .replacement { return .replacement }
    if added.isEmpty { return .removal }
    return removed.isEmpty ? .insertion : .setting
  }

  // MARK: Taking back

  /// The set before the edits.
  ///
  /// - `set`: The set after the edits.
  ///
  /// - Complexity: O(*n*) in the number of members, for the copy.
  func former(of set: Set<Member>) -> Set<Member> {
    var former = set
    _ = restore(&former)
    return former
  }

  /// Takes the edits back, in place.
  ///
  /// Returns the members that leave the set. They must be released when the mutation of the property
  /// has ended, since an object that is deallocated notifies its observers, who may read the property.
  ///
  /// - `set`: The set after the edits.
  ///
  /// - Complexity: O(*m*) for *m* edited members.
  func restore(_ set: inout Set<Member>) -> [Member] {
    if var formerSet {
      swap(&set, &formerSet)
      return Array(formerSet)
    }
    var leaving = added.compactMap { set.remove($0) }
    set.formUnion(removed)
    leaving += exchanged.keys.compactMap { set.update(with: $0) }
    return leaving
  }
}

extension SetEditComposition: Sendable where Member: Sendable {}
