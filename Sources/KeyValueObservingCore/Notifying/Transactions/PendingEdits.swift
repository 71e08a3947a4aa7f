/// The changes of a collection in a transaction: its edits as one, as long as it has only been edited (P49).
struct PendingEdits {
  // Copied by every change, so it is one word.
  private indirect enum State {
    /// The elements of an array were edited.
    case ofArray(EditComposition)
    /// The members of a set were, with changes of these kinds.
    case ofSet([KeyValueChangeKind])
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

  /// Adds an edit; nil stands for a change of the collection as a whole.
  ///
  /// - `count`: The number of elements before the first edit, nil if the value is no array.
  mutating func add(_ edit: Edit?, count: Int?) {
    if isSetting { return }
    switch (state, edit) {
    case (_, nil): set()
    case (.ofArray(var composition)?, let edit?) where edit.indexes != nil:
      state = nil
      composition.add(edit)
      state = .ofArray(composition)
    case (.ofSet(let kinds)?, let edit?) where edit.indexes == nil:
      if !kinds.contains(edit.kind) { state = .ofSet(kinds + [edit.kind]) }
    case (nil, let edit?):
      if edit.indexes == nil {
        state = .ofSet([edit.kind])
      } else if let count {
        var composition = EditComposition(count: count)
        composition.add(edit)
        state = .ofArray(composition)
      } else {
        set()
      }
    default: set()
    }
  }

  private mutating func set() {
    state = nil
    isSetting = true
  }

  /// The change that the edits between two values amount to.
  func outcome(from old: AnyValueBox?, to new: AnyValueBox?) -> Outcome {
    switch state {
    case .ofArray(let composition): outcome(of: composition, old, new)
    case .ofSet(let kinds): outcome(of: kinds, old, new)
    case nil: .setting(nil)
    }
  }

  private func outcome(
    of composition: EditComposition, _ old: AnyValueBox?, _ new: AnyValueBox?
  ) -> Outcome {
    guard composition.isExact else { return .setting(nil) }
    if composition.kind == nil { return .nothing }
    guard let edit = composition.edit, let indexes = edit.indexes else {
      return .setting(ComposedEdit(composition))
    }
    return .edit(
      edit, old: edit.kind == .insertion ? nil : old?.elements(at: indexes),
      new: edit.kind == .removal ? nil : new?.elements(at: indexes))
  }

  private func outcome(
    of kinds: [KeyValueChangeKind], _ old: AnyValueBox?, _ new: AnyValueBox?
  ) -> Outcome {
    guard let old, let new, let difference = new.difference(from: old) else { return .setting(nil) }
    switch (difference.removed, difference.added) {
    case (nil, nil): return .nothing
    case (let removed?, nil): return .edit(Edit(.removal, at: nil), old: removed, new: nil)
    case (nil, let added?): return .edit(Edit(.insertion, at: nil), old: nil, new: added)
    case (let removed?, let added?):
      guard kinds == [.replacement] else { return .setting(nil) }
      return .edit(Edit(.replacement, at: nil), old: removed, new: added)
    }
  }
}
