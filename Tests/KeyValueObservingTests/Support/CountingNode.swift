import KeyValueObserving

/// Notes which of its getters are called.
final class CountingNode: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  var reads: [String] = []
  private var storedNext: CountingNode?
  private var storedName = ""

  static func keyValueProperties() -> [KeyValueProperty] {
    [.stored("next", \CountingNode.next), .stored("name", \CountingNode.name)]
  }

  var next: CountingNode? {
    get {
      reads.append("next")
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("next", of: self) }
      return storedNext
    }
    set { storedNext = newValue }
  }

  var name: String {
    get {
      reads.append("name")
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access("name", of: self) }
      return storedName
    }
    set { storedName = newValue }
  }
}
