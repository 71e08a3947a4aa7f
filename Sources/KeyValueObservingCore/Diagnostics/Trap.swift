/// Why the program is stopped: every sentence of a trap.
///
/// Only what stops Swift's own collections stops these, and in debug builds a setter of the wrong type,
/// which would be undefined behavior. Everything else is reported to ``KeyValueDiagnostics`` or thrown.
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

  static var noMember: Self {
    Self(
      sentence: """
        removeFirst() of a KeyValueMutableSet needs a member to remove, and the set is empty. Call \
        popFirst() instead, which returns nil then.
        """)
  }

  static func wrongType(
    _ type: Any.Type, ofValuesOf key: String, in subject: Any.Type, listedAs listed: Any.Type
  ) -> Self {
    Self(
      sentence: """
        An accessor of \(spelling(of: subject)) sets '\(key)' to a value of type \
        \(spelling(of: type)), and keyValueProperties() lists '\(key)' with values of type \
        \(spelling(of: listed)), as which observers read it. Pass the accessor the key of its own \
        property.
        """)
  }

  static func contradiction(_ finding: String) -> Self {
    Self(
      sentence: """
        KeyValueObserving contradicts itself: \(finding). This is a defect of the library. Report \
        it with what the program did before.
        """)
  }

  // Not with `preconditionFailure`, which says nothing in release builds.
  /// Stops the program.
  func stop() -> Never { fatalError(sentence) }
}

/// Traps where something does not hold that must hold, whatever users of the library do.
///
/// What is found instead stands beside the question, as a claim that a test makes.
func checkInvariant(_ holds: Bool, _ finding: @autoclosure () -> String) {
  if !holds { Trap.contradiction(finding()).stop() }
}
