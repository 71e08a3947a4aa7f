/// A transaction in which the key has changed.
struct ChangeMark {
  /// How many transactions are around it, and that one; 0 for a change that is delivered though the outermost
  /// one is rolled back.
  var depth: Int
  /// The edits, the excluded observers and the last step before it.
  var edits: PendingEdits
  let excluded: Set<ObserverIdentity>
  let lastStep: Int
  /// Whether the key only gets back a value from which its observers have not started.
  var isPutBack: Bool
}
