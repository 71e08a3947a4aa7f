import KeyValueObservingCore

/// A value that several threads change.
///
/// ThreadSanitizer sees its lock; it does not see `Synchronization.Mutex`.
final class Guarded<Value>: @unchecked Sendable {  // `value` is guarded by `lock`
  private let lock = Lock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&value) }
  }
}
