/// The message with which the program stops.
///
/// Only what stops Swift's own collections stops the program, and in debug builds a setter of the
/// wrong type, which would be undefined behavior. Everything else is reported to
/// ``KeyValueDiagnostics`` or thrown.
struct Trap {
  let message: Message

  private init(_ place: String, _ finding: String, _ remedy: String) {
    message = Message(place, finding, remedy)
  }

  static func elementCount(_ elementCount: Int, for indexCount: Int) -> Self {
    Self(
      "KeyValueMutableArray",
      "\(counted(elementCount, "element")) for \(counted(indexCount, "index", "indexes"))",
      "Pass as many elements as indexes.")
  }

  static func indexOutOfRange(_ range: Range<Int>, count: Int) -> Self {
    let index = range.count == 1 ? "\(range.lowerBound)" : "\(range)"
    return Self(
      "KeyValueMutableArray", "index out of range: \(index) (count \(count))",
      "Check it against `indices` first.")
  }

  static var emptySet: Self {
    Self(
      "KeyValueMutableSet.removeFirst()", "can't remove an element from an empty set",
      "Call popFirst(), which returns nil instead.")
  }

  static func wrongType(
    _ type: Any.Type, ofValuesOf key: String, in subject: Any.Type, listedAs listed: Any.Type
  ) -> Self {
    Self(
      "\(spelling(of: subject)).\(key)",
      """
      an accessor sets a value of type \(spelling(of: type)), but keyValueProperties() lists the \
      key with values of type \(spelling(of: listed))
      """,
      "Pass each accessor the key of its own property.")
  }

  static func invariantViolation(_ finding: String) -> Self {
    Self(
      "KeyValueObserving", "internal inconsistency: \(finding)",
      "Report this as a bug, with the calls that preceded it.")
  }

  /// Stops the program.
  // Not with `preconditionFailure`, which prints nothing in release builds.
  func stop() -> Never { fatalError(message.text) }
}

/// Traps if a condition does not hold that must hold whatever users of the library do.
///
/// - Parameters:
///   - holds: The condition.
///   - finding: The contradiction, in a few words.
func checkInvariant(_ holds: Bool, _ finding: @autoclosure () -> String) {
  if !holds { Trap.invariantViolation(finding()).stop() }
}

/// A number with its noun, such as `1 element` and `2 elements`.
private func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
  "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
}
