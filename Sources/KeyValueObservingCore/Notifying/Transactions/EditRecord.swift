/// The record of an array that has only been edited by proxy since: what takes its edits back, so that the array
/// is not copied.
final class EditRecord: ChangeRecord {
  private let property: KeyValueProperty
  private let array: any ArrayEditedInPlace.Type
  @exclusivity(unchecked)
  private(set) var opposites: OppositeEdits
  /// The record of the whole array, once that has changed in another way.
  @exclusivity(unchecked)
  private var whole: ChangeRecord?
  /// The elements that have left the array when it was restored.
  @exclusivity(unchecked)
  private var leaving: Any?

  init(
    of property: KeyValueProperty, in subject: AnyObject, as array: any ArrayEditedInPlace.Type,
    count: Int
  ) {
    self.property = property
    self.array = array
    opposites = OppositeEdits(count: count)
    super.init(of: property.name, in: subject)
  }

  /// Notes an edit that is about to be made.
  func add(_ planned: PlannedEdit) {
    opposites.add(oppositeOf: planned.edit, removed: planned.removed)
  }

  var isWhole: Bool { whole != nil }

  // In its place, since finding that among all records takes linear time.
  override func makeWhole() {
    if isWhole { return }
    if let former = property.box(of: subject).takingBack(opposites) {
      whole = PropertyRecord(of: property, in: subject, former)
    } else {
      whole = UnrestorableRecord(of: name, in: subject)
    }
  }

  override var isRestoredBySetter: Bool { whole?.isRestoredBySetter ?? true }

  override func restore(keeping keep: (AnyValueBox) -> Void) -> Bool {
    if let whole { return whole.restore(keeping: keep) }
    guard let modify = property.accessor.modify else { return false }
    modify.call(subject) { leaving = array.takeBack(opposites, at: $0) }
    return true
  }
}

/// An edit by proxy of an array that can be taken back in place.
struct PlannedEdit {
  let property: KeyValueProperty
  let subject: ObjectIdentifier
  let array: any ArrayEditedInPlace.Type
  let edit: Edit
  /// The elements that it removes.
  let removed: AnyValueBox?

  /// The edit that is planned, unless the property is no such array.
  init?(_ change: ChangeDescription, of property: KeyValueProperty, in subject: AnyObject) {
    guard let array = property.arrayEditedInPlace, let edit = change.edit else { return nil }
    self.property = property
    self.subject = ObjectIdentifier(subject)
    self.array = array
    self.edit = edit
    removed = change.old?(subject)
  }

  func isOf(_ name: KeyName, of subject: AnyObject) -> Bool {
    self.subject == ObjectIdentifier(subject) && property.name == name
  }
}

extension Transaction {
  /// Records the value of a property that is going to be edited by proxy.
  func record(
    _ edit: PlannedEdit?, ofProperty property: KeyValueProperty, of subject: some KeyValueObservable
  ) {
    guard keepsFormerValues, let edit else { return record(property, of: subject) }
    if let record = editRecord(of: property.name, in: subject) {
      if record.opposites.isTooLarge { return self.record(property, of: subject) }
    } else if willStore(property.name, in: subject) != .record {
      return
    }
    plannedEdit = edit
  }

  /// Records a planned edit of a property that is about to be mutated in place, if it is what mutates it.
  ///
  /// Returns whether it is.
  func recordPlannedEdit(of name: KeyName, in subject: AnyObject) -> Bool {
    guard let edit = plannedEdit, edit.isOf(name, of: subject) else { return false }
    plannedEdit = nil
    if let record = editRecord(of: name, in: subject) {
      record.add(edit)
    } else if willStore(name, in: subject) == .record {
      let count = edit.property.box(of: subject).placeCount ?? 0
      let record = EditRecord(of: edit.property, in: subject, as: edit.array, count: count)
      record.add(edit)
      add(record)
    }
    return true
  }

  /// The record of the edits of an array in the innermost transaction.
  private func editRecord(of name: KeyName, in subject: AnyObject) -> EditRecord? {
    guard let record = record(of: name, in: subject) as? EditRecord,
      Int(record.depth) == depth, !record.isWhole
    else { return nil }
    return record
  }
}
