import KeyValueObservingCore

/// A value behind a lock.
///
/// The result of an exchange is returned, so that nothing is released under the lock. The lock is
/// the library's own, because ThreadSanitizer does not see `Synchronization.Mutex`.
final class Guarded<Value>: @unchecked Sendable {  // `stored` is guarded by `lock`
  private let lock = Lock()
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value { lock.withLock { stored } }

  /// Stores a value and returns the former one.
  @discardableResult
  func exchange(_ value: Value) -> Value {
    lock.withLock {
      let former = stored
      stored = value
      return former
    }
  }

  func withValue<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&stored) }
  }
}

/// A reference behind a lock that keeps nothing.
final class GuardedWeak<Object: AnyObject>: @unchecked Sendable {  // guarded by `lock`
  private let lock = Lock()
  private weak var stored: Object?

  init(_ object: Object? = nil) { stored = object }

  var value: Object? {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }
}
