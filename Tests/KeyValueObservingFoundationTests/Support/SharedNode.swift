import KeyValueObservingFoundation

@testable import KeyValueObservingCore

/// A class that guards its own property, so that objects may be used from any thread.
final class SharedNode: KeyValueObservable, @unchecked Sendable {
  let keyValueRegistrar = KeyValueRegistrar()
  // ThreadSanitizer sees this lock; it does not see `Synchronization.Mutex`.
  private let lock = Lock()
  private var storedValue = 0

  static func keyValueProperties() -> [KeyValueProperty] {
    [.stored("value", \SharedNode.value)]
  }

  var value: Int {
    get {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("value", of: self) }
      return lock.withLock { storedValue }
    }
    set {
      keyValueRegistrar.set(
        "value", of: self, to: newValue, read: { lock.withLock { storedValue } },
        write: { value in lock.withLock { storedValue = value } })
    }
  }
}
