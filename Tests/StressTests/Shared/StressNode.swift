import KeyValueObserving
import KeyValueObservingCore

/// A class that guards itself, so that its objects may be used from any thread.
///
/// Its setters do not check for observers before they store: an observer that another thread
/// registers in between would read the former value and not be notified of the new one.
final class StressNode: KeyValueObservable, Sendable {
  let keyValueRegistrar = KeyValueRegistrar()
  /// Strong links lead from one layer to the next, so there are no cycles.
  let layer: Int
  /// Counts the sets of its value, if every set is one change.
  let audit: Audit?
  /// The work of its computed property, besides computing.
  let whenSumming = Guarded<(@Sendable () -> Void)?>(nil)
  private let whenGone: (@Sendable () -> Void)?
  private let life: Life
  private let storedValue = Guarded(0)
  private let storedNote = Guarded(0)
  private let storedChild = Guarded<StressNode?>(nil)
  private let storedPeer = GuardedWeak<StressNode>()
  private let storedCrowd = Guarded<[StressNode]>([])
  private let storedMembers = Guarded<Set<Int>>([])
  private let storedTags = Guarded<[Int]>([])

  init(
    layer: Int, audit: Audit?, in census: Census, whenGone: (@Sendable () -> Void)? = nil
  ) {
    self.layer = layer
    self.whenGone = whenGone
    self.audit = audit
    life = census.birth(of: .node)
  }

  deinit { whenGone?() }

  static func keyValueProperties() -> [KeyValueProperty] {
    [
      .stored("value", \StressNode.value, chained: \StressNode?.?.value),
      .stored("note", \StressNode.note, chained: \StressNode?.?.note),
      .stored("child", \StressNode.child, chained: \StressNode?.?.child),
      .weak("peer", \StressNode.peer, chained: \StressNode?.?.peer),
      .stored("crowd", \StressNode.crowd, chained: \StressNode?.?.crowd),
      .stored("members", \StressNode.members, chained: \StressNode?.?.members),
      .stored("tags", \StressNode.tags, chained: \StressNode?.?.tags),
      .computed("sum", \StressNode.sum, chained: \StressNode?.?.sum),
    ]
  }

  var value: Int {
    get { read("value", storedValue) }
    set {
      keyValueRegistrar.set(
        "value", of: self, to: newValue, read: { storedValue.value },
        write: {
          storedValue.exchange($0)
          audit?.noteStored()
        })
    }
  }

  /// A property that is not counted.
  var note: Int {
    get { read("note", storedNote) }
    set { write("note", newValue, storedNote) }
  }

  var child: StressNode? {
    get { read("child", storedChild) }
    set { write("child", newValue, storedChild) }
  }

  var peer: StressNode? {
    get {
      let peer = storedPeer.value
      if KeyValueRegistrar.isTracking {
        keyValueRegistrar.access("peer", of: self, target: peer)
        // Read after it is known who reads it, so that no set in between is missed (P39).
        return storedPeer.value
      }
      return peer
    }
    set {
      keyValueRegistrar.setWeak(
        "peer", of: self, to: newValue, read: { storedPeer.value },
        write: { storedPeer.value = $0 })
    }
  }

  var crowd: [StressNode] {
    get { read("crowd", storedCrowd) }
    set { write("crowd", newValue, storedCrowd) }
  }

  var members: Set<Int> {
    get { read("members", storedMembers) }
    set { write("members", newValue, storedMembers) }
  }

  /// Edited by the thread that owns the object only: places in an array mean nothing to two threads.
  var tags: [Int] {
    get { read("tags", storedTags) }
    set { write("tags", newValue, storedTags) }
  }

  var sum: Int {
    let sum = value &+ (child?.value ?? 0) &+ (peer?.value ?? 0)
    whenSumming.value?()
    return sum
  }

  private func read<Value>(_ key: StaticString, _ storage: Guarded<Value>) -> Value {
    if KeyValueRegistrar.isTracking { keyValueRegistrar.access(key, of: self) }
    return storage.value
  }

  private func write<Value>(_ key: StaticString, _ value: Value, _ storage: Guarded<Value>) {
    keyValueRegistrar.set(
      key, of: self, to: value, read: { storage.value }, write: { storage.exchange($0) })
  }
}
