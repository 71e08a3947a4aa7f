/// Values for texts, of which there may be ever new ones, up to a number of them.
final class TextCache<Value>: @unchecked Sendable {  // `values` is guarded by `lock`
  private let lock = Lock()
  private var values: [String: Value] = [:]
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func find(_ text: String) -> Value? { lock.withLock { values[text] } }

  func insert(_ value: Value, for text: String) {
    lock.withLock { if values.count < limit { values[text] = value } }
  }

  /// The value for a text, made if there is none, and nil where there is no room for it.
  func find(_ text: String, orMake make: () -> Value) -> Value? {
    lock.withLock {
      if let value = values[text] { return value }
      if values.count == limit { return nil }
      let value = make()
      values[text] = value
      return value
    }
  }
}
