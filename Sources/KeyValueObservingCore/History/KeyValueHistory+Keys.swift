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
    set(\.canUndo, \.canUndo) { !$0.undoGroups.isEmpty }
    set(\.canRedo, \.canRedo) { !$0.redoGroups.isEmpty }
    set(\.undoName, \.undoName) { $0.undoGroups.last?.name }
    set(\.redoName, \.redoName) { $0.redoGroups.last?.name }
  }

  private func set<Value: Equatable>(
    _ key: KeyPath<KeyValueHistory, Value>, _ path: WritableKeyPath<PublishedValues, Value>,
    to compute: (KeyValueHistory) -> Value
  ) {
    if published[keyPath: path] == compute(self) { return }
    // An observer of this key or of one before may have called `undo()`.
    withMutation(of: key) { published[keyPath: path] = compute(self) }
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
