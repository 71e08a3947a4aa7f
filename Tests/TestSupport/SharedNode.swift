package import KeyValueObservingCore

/// A class that guards its own properties, so that objects may be used from any thread.
package final class SharedNode: KeyValueObservable, @unchecked Sendable {
  package let keyValueRegistrar = KeyValueRegistrar()
  private let storedValue = Guarded(0)
  private let storedChild = Guarded<SharedNode?>(nil)

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
      return storedValue.value
    }
    set {
      keyValueRegistrar.set(
        "value", of: self, to: newValue, read: { storedValue.value },
        write: { storedValue.exchange($0) })
    }
  }

  package var child: SharedNode? {
    get {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("child", of: self) }
      return storedChild.value
    }
    set {
      keyValueRegistrar.set(
        "child", of: self, to: newValue, read: { storedChild.value },
        write: { storedChild.exchange($0) })
    }
  }

  package var sum: Int { value + (child?.value ?? 0) }
}
