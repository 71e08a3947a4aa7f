import FuzzSupport
import KeyValueObserving

/// Writes a value at a key path.
///
/// The claims: a write that throws has changed nothing and notified no observer; one that does not
/// throw notifies exactly once, and has stored the value.
struct WriteTrial {
  private let keyPath: String
  private let shape: Graph.Shape
  private let graph: Graph
  private let value: Any?

  init(_ keyPath: String, _ shape: Graph.Shape, _ steering: InputReader) {
    self.keyPath = keyPath
    self.shape = shape
    graph = Graph(shape)
    var steering = steering
    value = Self.value(steering.byte(), in: graph)
  }

  private static func value(_ choice: UInt8, in graph: Graph) -> Any? {
    switch choice % 12 {
    case 0: 7
    case 1: "text"
    case 2: nil
    case 3: 2.0
    case 4: true
    case 5: graph.root
    case 6: graph.root.boss
    case 7: graph.root.items
    case 8: ["x", "y"]
    case 9: ["x": 1]
    case 10: Frame(width: 1)
    default: graph.root.document
    }
  }

  func run() {
    defer { graph.clear() }
    var received = 0
    let token = try? graph.root.observe(keyPath, options: [.new, .old]) { _, _ in received += 1 }
    defer { token?.invalidate() }
    let former = graph.state
    let target = target
    do {
      try graph.root.setValue(value, forKeyPath: keyPath)
      switch target {
      case .property(let key, let owner):
        let found = (try? owner.value(forKey: key)) ?? nil
        claim(isKept(found), "'\(keyPath)' in \(shape) is \(found as Any), not \(value as Any)")
        if token != nil { claimEqual(received, 1, "changes of '\(keyPath)' in \(shape)") }
      case .nowhere: claim(false, "what is written to '\(keyPath)' in \(shape) vanishes")
      case .members: break
      }
    } catch {
      claim(!error.description.isEmpty, "no description")
      claimEqual(received, 0, "changes of '\(keyPath)' in \(shape), which throws \(error)")
      claimEqual(graph.state, former, "the state after '\(keyPath)' in \(shape) throws \(error)")
    }
  }

  /// The value that a path leads to.
  private enum Target {
    case property(String, of: any KeyValueObservable)
    /// A link is nil.
    case nowhere
    /// Something in a collection or a dictionary.
    case members
  }

  private var target: Target {
    let keys = keyPath.keyPathComponents.filter { !$0.isEmpty && $0 != "self" }
    guard let last = keys.last else { return .nowhere }
    var owner: any KeyValueObservable = graph.root
    for key in keys.dropLast() {
      guard let link = (try? owner.value(forKey: key)) ?? nil else { return .nowhere }
      guard type(of: link) is AnyClass, let next = link as? any KeyValueObservable else {
        return .members
      }
      owner = next
    }
    return .property(last, of: owner)
  }

  /// Whether a value is the one that was written, but for its type.
  private func isKept(_ found: Any?) -> Bool {
    if valueText(found) == valueText(value) { return true }
    // A property of type `AnyObject` holds a value that is no object in a box. Only Foundation's box
    // has the description of what is in it, the standard library's has to be cast.
    if let found, type(of: found) is AnyClass {
      if let frame = value as? Frame { return found as? Frame == frame }
      if "\(found)" == value.map({ "\($0)" }) { return true }
    }
    switch (value, found) {
    case (let bool as Bool, _): return isKept(bool ? 1 : 0, in: found)
    case (let integer as Int, _): return isKept(Double(integer), in: found)
    case (let double as Double, _): return isKept(double, in: found)
    case (let array as [Any?], let found as [Any?]): return array.count == found.count
    case (let dictionary as [String: Int], let found as KeyValueDictionary):
      return dictionary.count == found.keys.count
    case (let items as [Item], let found as Set<Item>): return Set(items) == found
    default: return false
    }
  }

  private func isKept(_ number: Double, in found: Any?) -> Bool {
    switch found {
    case let found as Int: Double(found) == number
    case let found as Double: found == number
    case let found as Bool: (found ? 1 : 0) == number
    default: false
    }
  }
}
