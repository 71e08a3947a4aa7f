extension KeyValueHistoryError: CustomStringConvertible {
  /// The message, whose text may change in any version.
  public var description: String {
    switch self {
    case .conflict:
      Message(
        "KeyValueHistory",
        "a collection was changed without being recorded, so its edits cannot be taken back",
        "Restore the collection, or call removeAll()."
      ).text
    case .recording:
      Message(
        "KeyValueHistory",
        "undo() and redo() cannot run in a transaction, or in a handler of a recorded change",
        "Call them when it has ended."
      ).text
    }
  }
}
