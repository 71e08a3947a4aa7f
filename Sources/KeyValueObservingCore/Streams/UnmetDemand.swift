/// How many values a subscriber has requested and not received yet, and the value that waits for
/// demand.
///
/// A plain value: each step returns the value that is to be sent.
package struct UnmetDemand<Value> {
  /// Whether the newest value waits for demand, in place of those before it, as with Combine's
  /// `CurrentValueSubject`. Otherwise values that are not requested are dropped, as with
  /// `PassthroughSubject`.
  private let keepsNewest: Bool
  /// Nil if any number of values is requested.
  private var count: Int? = 0
  private var newest: Value?

  package init(keepsNewest: Bool) {
    self.keepsNewest = keepsNewest
  }

  /// Takes a value. Returns it if it is requested.
  package mutating func receive(_ value: Value) -> Value? {
    if take() { return value }
    if keepsNewest { newest = value }
    return nil
  }

  /// Adds to the demand. Returns the value that waited for it.
  ///
  /// - Parameter more: How many more values are requested; nil for any number.
  package mutating func request(_ more: Int?) -> Value? {
    count = sum(count, more)
    guard newest != nil, take() else { return nil }
    return newest.take()
  }

  /// Uses up the demand for one value. Returns false if there is none.
  private mutating func take() -> Bool {
    guard let count else { return true }
    self.count = max(count - 1, 0)
    return count > 0
  }

  /// A sum that is too large is any number.
  private func sum(_ count: Int?, _ more: Int?) -> Int? {
    guard let count, let more else { return nil }
    let (sum, isTooLarge) = count.addingReportingOverflow(more)
    return isTooLarge ? nil : sum
  }
}
