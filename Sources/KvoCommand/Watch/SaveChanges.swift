import KeyValueObserving

/// What the observer of one key path hears while a save is taken, made into what there is to tell of
/// it.
///
/// One save may set a value several times, a sum for each of its elements, say. All that is true of
/// the file is the value before the first of these changes and the one after the last. Insertions,
/// removals and replacements of elements stay what they are, since each is true of the file: places are
/// those of the former version for what goes, and of the current one for what comes.
struct SaveChanges {
  private var changes: [KeyValueChange<Any?>] = []

  mutating func add(_ change: KeyValueChange<Any?>) {
    guard change.kind == .setting, let last = changes.last, last.kind == .setting else {
      return begin(change)
    }
    changes[changes.count - 1].newValue = change.newValue
    if change.reason == .pathChanged { changes[changes.count - 1].reason = .pathChanged }
  }

  private mutating func begin(_ change: KeyValueChange<Any?>) {
    var change = change
    // The objects in it may be changed before it is printed.
    change.oldValue = change.oldValue.map { JSONText.Written($0) }
    changes.append(change)
  }

  /// Returns the changes and begins anew.
  ///
  /// A value that is what it was has not changed.
  mutating func take() -> [KeyValueChange<Any?>] {
    defer { changes = [] }
    return changes.filter { change in
      change.kind != .setting
        || JSONText.text(of: change.oldValue ?? nil) != JSONText.text(of: change.newValue ?? nil)
    }
  }
}
