import KeyValueObserving

@testable import KeyValueObservingCore

/// A class that guards its own properties, so that objects may be used from any thread.
final class SharedNode: KeyValueObservable, @unchecked Sendable {
  let keyValueRegistrar = KeyValueRegistrar()
  // ThreadSanitizer sees this lock; it does not see `Synchronization.Mutex`.
  private let lock = Lock()
  private var storedValue = 0
  private var storedChild: SharedNode?

  static func keyValueProperties() -> [KeyValueProperty] {
    [
      .stored("value", \SharedNode.value, chained: \SharedNode?.?.value),
      .stored("child", \SharedNode.child, chained: \SharedNode?.?.child),
      .computed("sum", \SharedNode.sum, chained: \SharedNode?.?.sum),
    ]
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

  var child: SharedNode? {
    get {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("child", of: self) }
      return lock.withLock { storedChild }
    }
    set {
      keyValueRegistrar.set(
        "child", of: self, to: newValue, read: { lock.withLock { storedChild } },
        write: { child in
          let former = lock.withLock {
            let former = storedChild
            storedChild = child
            return former
          }
          withExtendedLifetime(former) {}
        })
    }
  }

  var sum: Int { value + (child?.value ?? 0) }
}
