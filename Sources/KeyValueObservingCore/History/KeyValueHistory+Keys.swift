// The observable keys.
extension KeyValueHistory {
  /// The values of the observable keys, as observers have received them last.
  struct PublishedValues: Equatable {
    var canUndo = false
    var canRedo = false
    var undoName: String?
    var redoName: String?
  }

  private var presentValues: PublishedValues {
    PublishedValues(
      canUndo: !undoGroups.isEmpty, canRedo: !redoGroups.isEmpty, undoName: undoGroups.last?.name,
      redoName: redoGroups.last?.name)
  }

  /// Notifies observers of the keys whose values have changed.
  ///
  /// The block of each key is inside that of the next, since an observer of one reads the others (P24). In a transaction,
  /// observers of prior notifications could not call `undo()`.
  func publish() {
    let values = presentValues
    if values == published { return }
    change(\.redoName, \.redoName, to: values) {
      change(\.undoName, \.undoName, to: values) {
        change(\.canRedo, \.canRedo, to: values) {
          change(\.canUndo, \.canUndo, to: values) {
            // Computed again: an observer of prior notifications may have called `removeAll()`.
            published = presentValues
          }
        }
      }
    }
  }

  /// Changes a key in a block, if its observers have received another value.
  private func change<Value: Equatable>(
    _ key: KeyPath<KeyValueHistory, Value>, _ path: KeyPath<PublishedValues, Value>,
    to values: PublishedValues, _ body: () -> Void
  ) {
    if published[keyPath: path] == values[keyPath: path] { return body() }
    withMutation(of: key, body)
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
