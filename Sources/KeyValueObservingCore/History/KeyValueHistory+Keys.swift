// The observable keys.
extension KeyValueHistory {
  /// The values of the observable keys, as observers have received them last.
  struct PublishedValues: Equatable {
    var canUndo = false
    var canRedo = false
    var undoName: String?
    var redoName: String?
  }

  /// Notifies observers of the keys whose values have changed.
  func publish() {
    let values = PublishedValues(
      canUndo: !undoGroups.isEmpty, canRedo: !redoGroups.isEmpty, undoName: undoGroups.last?.name,
      redoName: redoGroups.last?.name)
    if values == published { return }
    // Together, since an observer of one key reads the others.
    withKeyValueTransaction {
      set(\.canUndo, \.canUndo, to: values)
      set(\.canRedo, \.canRedo, to: values)
      set(\.undoName, \.undoName, to: values)
      set(\.redoName, \.redoName, to: values)
    }
  }

  private func set<Value: Equatable>(
    _ key: KeyPath<KeyValueHistory, Value>, _ path: WritableKeyPath<PublishedValues, Value>,
    to values: PublishedValues
  ) {
    if published[keyPath: path] == values[keyPath: path] { return }
    withMutation(of: key) { published[keyPath: path] = values[keyPath: path] }
  }
}

extension KeyValueHistory {
  /// The observable keys of the history.
  public static func keyValueProperties() -> [KeyValueProperty] {
    [
      .stored(
        "canUndo", \KeyValueHistory.canUndo, chained: \KeyValueHistory?.?.canUndo,
        isReadOnly: true),
      .stored(
        "canRedo", \KeyValueHistory.canRedo, chained: \KeyValueHistory?.?.canRedo,
        isReadOnly: true),
      .stored(
        "undoName", \KeyValueHistory.undoName, chained: \KeyValueHistory?.?.undoName,
        isReadOnly: true),
      .stored(
        "redoName", \KeyValueHistory.redoName, chained: \KeyValueHistory?.?.redoName,
        isReadOnly: true),
    ]
  }
}
