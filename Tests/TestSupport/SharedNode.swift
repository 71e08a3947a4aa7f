package import KeyValueObservingCore

/// A class that guards its own properties, so that objects may be used from any thread.
package final class SharedNode: KeyValueObservable, @unchecked Sendable {
  package let keyValueRegistrar = KeyValueRegistrar()
  // ThreadSanitizer sees this lock; it does not see `Synchronization.Mutex`.
  private let lock = Lock()
  private var storedValue = 0
  private var storedChild: SharedNode?

  package init() {}

  package static func keyValueProperties() -> [KeyValueProperty] {
    [
      .stored("value", \SharedNode.value, chained: \SharedNode?.?.value),
      .stored("child", \SharedNode.child, chained: \SharedNode?.?.child),
      .computed("sum", \SharedNode.sum, chained: \SharedNode?.?.sum),
    ]
  }

  package var value: Int {
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

  package var child: SharedNode? {
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

  package var sum: Int { value + (child?.value ?? 0) }
}
