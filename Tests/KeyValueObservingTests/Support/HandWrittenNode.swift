import KeyValueObserving

/// The expansion of the macro, written manually.
final class HandWrittenNode: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()

  static func keyValueProperties() -> [KeyValueProperty] {
    [
      .stored("name", \HandWrittenNode.name), .stored("count", \HandWrittenNode.count),
      .stored("child", \HandWrittenNode.child), .computed("summary", \HandWrittenNode.summary),
    ]
  }

  private var storedName: String?
  var name: String? {
    get {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("name", of: self) }
      return storedName
    }
    set {
      if keyValueRegistrar.isObserved {
        keyValueRegistrar.set(
          "name", of: self, to: newValue, read: { storedName }, write: { storedName = $0 })
      } else {
        storedName = newValue
      }
    }
  }

  private var storedCount = 0
  var count: Int {
    get {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("count", of: self) }
      return storedCount
    }
    set {
      if keyValueRegistrar.isObserved {
        keyValueRegistrar.set(
          "count", of: self, to: newValue, read: { storedCount }, write: { storedCount = $0 })
      } else {
        storedCount = newValue
      }
    }
  }

  private var storedChild: Any?
  var child: Any? {
    get {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("child", of: self) }
      return storedChild
    }
    set {
      if keyValueRegistrar.isObserved {
        keyValueRegistrar.set(
          "child", of: self, to: newValue, read: { storedChild }, write: { storedChild = $0 })
      } else {
        storedChild = newValue
      }
    }
  }

  var summary: String { "\(name ?? "?") \(count)" }
}
