/// How many values a subscriber has requested and not received yet, and the value that waits for
/// demand.
///
/// A plain value: each step returns the value that is to be sent.
@usableFromInline
package struct UnmetDemand<Value> {
  /// Whether the newest value waits for demand, in place of those before it, as with Combine's
  /// `CurrentValueSubject`.
  ///
  /// Otherwise values that are not requested are dropped, as with `PassthroughSubject`.
  @usableFromInline
  let keepsNewest: Bool
  /// Nil if any number of values is requested.
  @usableFromInline
  var count: Int? = 0
  @usableFromInline
  var newest: Value?

  @inlinable
  package init(keepsNewest: Bool) {
    self.keepsNewest = keepsNewest
  }

  /// Takes a value.
  ///
  /// Returns it if it is requested.
  @inlinable
  package mutating func receive(_ value: Value) -> Value? {
    if take() { return value }
    if keepsNewest { newest = value }
    return nil
  }

  /// Adds to the demand.
  ///
  /// Returns the value that waited for it.
  ///
  /// - `more`: How many more values are requested; nil for any number.
  @inlinable
  package mutating func request(_ more: Int?) -> Value? {
    if more == 0 { return nil }
    count = sum(count, more)
    guard newest != nil, take() else { return nil }
    return newest.take()
  }

  /// Takes out the value that waits for demand, since its key path has no value any more.
  @inlinable
  package mutating func withdraw() -> Value? { newest.take() }

  /// Uses up the demand for one value.
  ///
  /// Returns false if there is none.
  @inlinable
  mutating func take() -> Bool {
    guard let count else { return true }
    if count == 0 { return false }
    self.count = count - 1
    return true
  }

  /// A sum that is too large is any number.
  @inlinable
  func sum(_ count: Int?, _ more: Int?) -> Int? {
    guard let count, let more else { return nil }
    let (sum, isTooLarge) = count.addingReportingOverflow(more)
    return isTooLarge ? nil : sum
  }
}
