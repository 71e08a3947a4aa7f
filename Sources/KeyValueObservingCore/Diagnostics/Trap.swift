/// Why the program is stopped: every sentence of a trap.
///
/// Only what stops Swift's own collections stops these. Everything else is survived, and told to
/// ``KeyValueDiagnostics`` or thrown.
struct Trap {
  let sentence: String

  static func elements(_ elementCount: Int, for placeCount: Int) -> Self {
    Self(
      sentence: """
        An edit of a KeyValueMutableArray needs an element for each place, and has \
        \(elementCount) for \(placeCount). Give as many elements as places.
        """)
  }

  static func places(_ range: Range<Int>, outsideOf count: Int) -> Self {
    Self(
      sentence: """
        An edit of a KeyValueMutableArray must stay inside of the array, which has \(count) \
        elements, and asks for the places \(range). Look at its indices first.
        """)
  }

  static func contradiction(_ finding: String) -> Self {
    Self(
      sentence: """
        KeyValueObserving contradicts itself: \(finding). This is a defect of the library. Report \
        it with what the program did before.
        """)
  }

  /// Stops the program.
  // Not with `preconditionFailure`, which says nothing in release builds.
  func stop() -> Never { fatalError(sentence) }
}

/// Traps where something does not hold that must hold, whatever users of the library do. What is
/// found instead stands beside the question, as a claim that a test makes.
func checkInvariant(_ holds: Bool, _ finding: @autoclosure () -> String) {
  if !holds { Trap.contradiction(finding()).stop() }
}
