/// The changes of a collection in a transaction: its edits as one, as long as it has only been edited (P49).
struct PendingEdits {
  // Copied by every change, so it is one word.
  private enum State {
    /// The elements of an array were edited.
    case ofArray(ArrayEdits)
    /// The members of a set were.
    case ofSet(SetEdits)
  }

  // An object, because a payload that is taken out of an enumeration to be changed is copied: each edit would take
  // as long as all before it.
  private final class ArrayEdits {
    var composition: EditComposition
    /// The edits that take them back, if these are known.
    var opposites: OppositeEdits?

    init(_ composition: EditComposition, _ opposites: OppositeEdits?) {
      self.composition = composition
      self.opposites = opposites
    }

    func add(_ edit: Edit, _ planned: PlannedEdit?) {
      composition.add(edit)
      // If no edit is planned, the old value has been derived, and the opposites are not applied any more.
      if let planned { opposites?.add(oppositeOf: planned.edit, removed: planned.removed) }
    }
  }

  private final class SetEdits {
    /// Whether all of the edits have replaced members.
    var onlyReplace: Bool
    /// The members that were added, those of each edit by themselves, if an observer is to know of members that make way
    /// for equal ones.
    var added: [AnyValueBox]

    init(onlyReplace: Bool = true, _ added: [AnyValueBox] = []) {
      self.onlyReplace = onlyReplace
      self.added = added
    }

    func add(_ kind: KeyValueChangeKind, _ members: AnyValueBox?) {
      if kind != .replacement { onlyReplace = false }
      if let members { added.append(members) }
    }
  }

  private var state: State?
  /// Whether the collection was set, or is none.
  private(set) var isSetting = false

  /// The change that is delivered.
  enum Outcome {
    /// One edit, with the elements concerned.
    case edit(Edit, old: AnyValueBox?, new: AnyValueBox?)
    /// A new value, and the edits of an array that lead to it, if they are known.
    case setting(ComposedEdit?)
    /// Nothing: the edits cancel out.
    case nothing
  }

  /// Whether nothing has been done to it.
  var isEmpty: Bool { state == nil && !isSetting }

  /// Whether the collection has only been edited.
  var isOfCollection: Bool { state != nil }

  /// The edits that take those of an array back, if they are known.
  var opposites: OppositeEdits? {
    if case .ofArray(let edits)? = state { edits.opposites } else { nil }
  }

  /// A copy, which later edits do not change.
  var snapshot: PendingEdits {
    var snapshot = self
    switch state {
    case .ofArray(let edits):
      snapshot.state = .ofArray(ArrayEdits(edits.composition, edits.opposites))
    case .ofSet(let edits):
      snapshot.state = .ofSet(SetEdits(onlyReplace: edits.onlyReplace, edits.added))
    case nil: break
    }
    return snapshot
  }

  /// Notes a change of the collection as a whole.
  @inline(__always)
  mutating func set() {
    if state != nil { state = nil }
    isSetting = true
  }

  /// Adds an edit.
  ///
  /// - `count`: The number of elements before the first edit, nil if the value is no array.
  /// - `planned`: The edit with the elements that it removes, if it is to be taken back.
  /// - `members`: The members that it adds to a set, if observers are to know of them.
  mutating func add(
    _ edit: Edit, count: Int?, planned: PlannedEdit? = nil, adding members: AnyValueBox? = nil
  ) {
    if isSetting { return }
    if state == nil {
      if edit.indexes == nil {
        state = .ofSet(SetEdits())
      } else if let count {
        state = .ofArray(
          ArrayEdits(
            EditComposition(count: count), planned == nil ? nil : OppositeEdits(count: count)))
      }
    }
    switch state {
    case .ofArray(let edits) where edit.indexes != nil: edits.add(edit, planned)
    case .ofSet(let edits) where edit.indexes == nil: edits.add(edit.kind, members)
    default: set()
    }
  }

  /// The change that the edits between two values amount to.
  ///
  /// - `isComputed`: Whether the value is computed, so that something else than the edits may have changed it.
  /// - `old`: Reads the value before them.
  func outcome(
    to new: AnyValueBox?, ofComputedKey isComputed: Bool, from old: () -> AnyValueBox?
  ) -> Outcome {
    switch state {
    case .ofArray(let edits):
      if isComputed, !(old().flatMap { new?.isResult(of: edits.composition, on: $0) } ?? false) {
        .setting(nil)
      } else {
        outcome(of: edits.composition, old, new)
      }
    case .ofSet(let edits): outcome(of: edits, old(), new)
    case nil: .setting(nil)
    }
  }

  /// All that has left a set, and all that has come, if members have made way for equal ones, which the outcome does not
  /// show; nil otherwise.
  func exchange(to new: AnyValueBox, from old: AnyValueBox?) -> MemberExchange? {
    guard case .ofSet(let edits)? = state, !edits.added.isEmpty else { return nil }
    return old.flatMap { new.exchange(from: $0, adding: edits.added) }
  }

  private func outcome(
    of composition: EditComposition, _ old: () -> AnyValueBox?, _ new: AnyValueBox?
  ) -> Outcome {
    guard composition.isExact else { return .setting(nil) }
    let edits = composition.edits
    if edits.isEmpty {
      // No collection is another value than an empty one.
      let isOther = composition.formerCount == 0 && old()?.isNil != new?.isNil
      return isOther ? .setting(nil) : .nothing
    }
    guard edits.count == 1, let edit = edits.first, let indexes = edit.indexes else {
      return .setting(ComposedEdit(composition))
    }
    return .edit(
      edit, old: edit.kind == .insertion ? nil : old()?.elements(at: indexes),
      new: edit.kind == .removal ? nil : new?.elements(at: indexes))
  }

  private func outcome(
    of edits: SetEdits, _ old: AnyValueBox?, _ new: AnyValueBox?
  ) -> Outcome {
    guard let old, let new, let difference = new.difference(from: old) else { return .setting(nil) }
    switch (difference.removed, difference.added) {
    case (nil, nil): return .nothing
    case (let removed?, nil): return .edit(Edit(.removal, at: nil), old: removed, new: nil)
    case (nil, let added?): return .edit(Edit(.insertion, at: nil), old: nil, new: added)
    case (let removed?, let added?):
      guard edits.onlyReplace else { return .setting(nil) }
      return .edit(Edit(.replacement, at: nil), old: removed, new: added)
    }
  }
}
