import KeyValueObservingCore

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
