/// The record of the groups of a history, and of its keys, in a transaction that empties it (P62).
final class HistoryRecord: ChangeRecord {
  /// The groups of a history, and the values of its keys, at one time.
  struct Contents {
    let undoGroups: [HistoryGroup]
    let redoGroups: [HistoryGroup]
    /// The group that is being recorded.
    let group: HistoryGroup?
    let published: KeyValueHistory.PublishedValues
  }

  private let history: KeyValueHistory
  private var contents: Contents

  init(of name: KeyName, in history: KeyValueHistory) {
    self.history = history
    contents = history.contents
    super.init(of: name, in: history)
  }

  // Records are put back the last one first, so that all of it is as it was before the first change.
  override func restore(keeping _: (AnyValueBox) -> Void) -> Bool {
    let present = history.contents
    history.contents = contents
    contents = present
    return true
  }
}

/// The record of the name of a group that is being recorded, in a transaction that names it (P61).
private final class GroupNameRecord: ChangeRecord {
  private let group: HistoryGroup
  private var groupName: String?

  init(of name: KeyName, _ group: HistoryGroup, in history: KeyValueHistory) {
    self.group = group
    groupName = group.name
    super.init(of: name, in: history)
  }

  override func restore(keeping _: (AnyValueBox) -> Void) -> Bool {
    swap(&group.name, &groupName)
    return true
  }
}

extension KeyValueHistory: ChangeRecording {
  func record(of key: String) -> ChangeRecord {
    key.withKeyName { HistoryRecord(of: $0, in: self) }
  }

  /// Lets a rollback put the groups back, which are about to change, with the values of the keys.
  ///
  /// Returns false if they are not to change, since a rollback puts values back (P50).
  func willChangeGroups() -> Bool {
    willChange(KeyName("groups")) { HistoryRecord(of: $0, in: self) }
  }

  /// Names a group that is being recorded.
  ///
  /// A rollback puts the former name back, and what it calls meanwhile names nothing.
  func rename(_ group: HistoryGroup, to name: String) {
    let isToChange = willChange(KeyName("groupName")) { GroupNameRecord(of: $0, group, in: self) }
    if isToChange { group.name = name }
  }

  /// Records what is about to change, if a rollback may put it back.
  ///
  /// Returns false if it is not to change.
  private func willChange(_ name: KeyName, record: (KeyName) -> ChangeRecord) -> Bool {
    guard let transaction = Transaction.current(of: self) else { return true }
    switch transaction.willStore(name, in: self) {
    case .record: transaction.add(record(name))
    case .store: break
    case .ignore:
      guard transaction.isRestoringHistory else { return false }
      // The transaction of an undo is not rolled back, but one inside may be.
      let known = transaction.record(of: name, in: self)
      if known.map({ Int($0.depth) }) == transaction.depth { return true }
      transaction.add(record(name))
    }
    return true
  }
}
