extension Transaction {
  /// One `withKeyValueTransaction` that is running.
  struct Level {
    /// Whether its changes are taken back if its body throws.
    var rollsBack = false
    /// Whether former values are recorded in the transaction around it.
    var keptFormerValues = false
    /// The observers in whose names changes are made in that one, nil if it has the same.
    var outerExcluded: Set<ObserverIdentity>?
    /// How many records and marked changes there were when it began.
    var firstRecord = 0
    var firstMark = 0
  }
}
