/// An error of ``KeyValueHistory/undo()`` or ``KeyValueHistory/redo()``, which has changed nothing.
public enum KeyValueHistoryError: Error, Hashable, Sendable {
  /// A collection is not what it was when its edits were recorded: it was changed in
  /// ``KeyValueHistory/withoutRecording(_:)``, or by its own setter (P60).
  ///
  /// The group stays, so every later call throws until the collection fits again, or
  /// ``KeyValueHistory/removeAll()`` is called.
  case conflict
  /// It was called in a transaction, or in a callback of a change of a recorded object, also of one
  /// that is made in ``KeyValueHistory/withoutRecording(_:)`` (P62).
  case recording
}
