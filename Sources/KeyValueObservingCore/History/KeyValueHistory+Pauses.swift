// Changes that are not recorded.
extension KeyValueHistory: PausableHistory {
  /// Whether changes are recorded where the program is now.
  var isRecording: Bool { pauses == 0 }

  /// Makes changes that are not recorded.
  ///
  /// A change is left out if it begins in the closure, also if it is delivered later: because
  /// another change of its property is being delivered, or as the second half of a pair of manual
  /// notifications. In a transaction around the closure, a change is left out if the first change of its
  /// property that is not rolled back is made in the closure.
  ///
  /// - Parameter body: Makes the changes.
  /// - Returns: The value that the closure returns.
  /// - Throws: The error that the closure throws.
  public func withoutRecording<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try ThreadState.current.pausing(also: self, body)
  }
}
