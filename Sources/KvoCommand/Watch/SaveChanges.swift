import KeyValueObserving

/// The changes that the observer of one key path receives during a save, reduced to those to
/// report.
///
/// One save may set a value several times, for example a sum for each of its elements. Only the
/// value before the first of these changes and the one after the last are values of the file.
/// Insertions, removals and replacements of elements are kept, because each is true of the file:
/// the indexes of removals are those of the former version, and those of insertions of the current
/// one.
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
