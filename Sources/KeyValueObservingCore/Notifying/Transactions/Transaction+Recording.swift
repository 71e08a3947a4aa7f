// Recording former values.
extension Transaction {
  /// The task of a setter.
  @usableFromInline
  enum StoreAction {
    /// Store the value, and record the former one.
    case record
    /// Store the value.
    case store
    /// Nothing: values are being put back, and what `didSet` sets meanwhile would overwrite them (P50).
    case ignore
  }

  /// Decides the task of a setter that is about to store, and notes that the property changes.
  func willStore(_ name: KeyName, in subject: AnyObject) -> StoreAction {
    if isRestoring {
      guard let record = rollback.record, record.subject === subject, record.name == name else {
        return .ignore
      }
      // Only the set that puts the value back: not what its `didSet` sets.
      rollback.record = nil
      return .store
    }
    guard keepsFormerValues else { return .store }
    return records.record(of: name, in: subject)?._withUnsafeGuaranteedRef { record in
      record.makeWhole()
      guard Int(record.depth) == depth else { return .record }
      noteChange(of: record)
      return .store
    } ?? .record
  }

  /// Notes that a property has changed whose value was recorded before: observers that come from now on find
  /// another one.
  private func noteChange(of record: ChangeRecord) {
    if record.step == ChangeRecord.stepOfUnchanged { record.step = makeStep() }
  }

  /// The same for a property that a pair has changed.
  func noteChange(of name: KeyName, in subject: AnyObject) {
    records.record(of: name, in: subject)?._withUnsafeGuaranteedRef { noteChange(of: $0) }
  }

  /// The innermost record of a property.
  func record(of name: KeyName, in subject: AnyObject) -> ChangeRecord? {
    records.record(of: name, in: subject)?.takeUnretainedValue()
  }

  /// Keeps the former value of a property, unless a change that came before has recorded one.
  @usableFromInline
  func add(_ record: ChangeRecord) { records.add(record, at: depth, step: makeStep()) }
}

/// How the old value of a change in a transaction is found, if no observer before the change needs it.
enum OldValueSource {
  /// The property is read before the change.
  case property
  /// The setter, which runs no code in between, returns the value that it replaces.
  case setter
  /// A collection is read before it is edited, also where no observer requests the old value.
  case edits
  /// It is derived from the edits of an array, which can be taken back.
  case editsInPlace
}
