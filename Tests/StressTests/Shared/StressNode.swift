import KeyValueObserving
import KeyValueObservingCore
import TestSupport

/// A class that guards itself, so that its objects may be used from any thread.
///
/// Its setters do not check for observers before they store: an observer that another thread
/// registers in between would read the former value and not be notified of the new one.
class StressNode: KeyValueObservable, @unchecked Sendable {  // each property guards its value
  final let keyValueRegistrar = KeyValueRegistrar()
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
  private let storedMark = Guarded(0)
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

  class func keyValueProperties() -> [KeyValueProperty] {
    func properties<Subject: StressNode>(of _: Subject.Type) -> [KeyValueProperty] {
      [
        .stored("value", \Subject.value, chained: \Subject?.?.value),
        .stored("note", \Subject.note, chained: \Subject?.?.note),
        .stored("mark", \Subject.mark, chained: \Subject?.?.mark),
        .stored("child", \Subject.child, chained: \Subject?.?.child),
        .weak("peer", \Subject.peer, chained: \Subject?.?.peer),
        .stored("crowd", \Subject.crowd, chained: \Subject?.?.crowd),
        .stored("members", \Subject.members, chained: \Subject?.?.members),
        .stored("tags", \Subject.tags, chained: \Subject?.?.tags),
        .computed("sum", \Subject.sum, chained: \Subject?.?.sum),
      ]
    }
    return properties(of: Self.self)
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

  /// A property that a subclass computes.
  var mark: Int {
    get { read("mark", storedMark) }
    set {
      keyValueRegistrar.set(
        "mark", of: self, to: newValue, read: { self.mark }, write: { storedMark.exchange($0) })
    }
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

  fileprivate final func read<Value>(_ key: StaticString, _ storage: Guarded<Value>) -> Value {
    if KeyValueRegistrar.isTracking { keyValueRegistrar.access(key, of: self) }
    return storage.value
  }

  fileprivate final func write<Value>(
    _ key: StaticString, _ value: Value, _ storage: Guarded<Value>
  ) {
    keyValueRegistrar.set(
      key, of: self, to: value, read: { storage.value }, write: { storage.exchange($0) })
  }
}

/// Inherits properties, computes one that its superclass stores, and another one than its superclass
/// does.
final class StressBranch: StressNode, @unchecked Sendable {
  private let storedBonus = Guarded(0)

  override class func keyValueProperties() -> [KeyValueProperty] {
    super.keyValueProperties() + [
      .stored("bonus", \StressBranch.bonus, chained: \StressBranch?.?.bonus),
      .computed("mark", \StressBranch.mark, chained: \StressBranch?.?.mark),
      .computed("sum", \StressBranch.sum, chained: \StressBranch?.?.sum),
    ]
  }

  var bonus: Int {
    get { read("bonus", storedBonus) }
    set { write("bonus", newValue, storedBonus) }
  }

  override var mark: Int {
    get { super.mark &+ bonus }
    set { super.mark = newValue }
  }

  override var sum: Int { super.sum &+ bonus }
}
