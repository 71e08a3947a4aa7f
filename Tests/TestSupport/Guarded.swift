internal import KeyValueObservingCore

/// A value that several threads use.
///
/// Its lock is the library's own: ThreadSanitizer does not see `Synchronization.Mutex`, and would report races
/// of what that one guards.
package final class Guarded<Value>: @unchecked Sendable {  // `stored` is guarded by `lock`
  private let lock = Lock()
  private var stored: Value

  package init(_ value: Value) { stored = value }

  package var value: Value { lock.withLock { stored } }

  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&stored) }
  }

  /// Stores a value and returns the former one, which is not released under the lock then.
  @discardableResult
  package func exchange(_ value: Value) -> Value {
    withLock { stored in
      let former = stored
      stored = value
      return former
    }
  }
}
