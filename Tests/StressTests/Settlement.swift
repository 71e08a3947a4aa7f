import KeyValueObserving

@testable import KeyValueObservingCore

/// The final state once all threads are done: exactly the current observations are attached, and
/// nothing is left of the rest.
///
/// It sets each property of each object that still exists, whether it ever was on a path or not,
/// and checks which observers are notified.
final class Settlement {
  private let world: World
  private var nodes: [StressNode]
  /// The observations that go on, with what each depends on.
  private var current: [(watch: Watch, inputs: [Input: KeyValueChangeReason])] = []
  /// Those that were ended, or whose root is gone.
  private var over: [Watch] = []

  init(of world: World) async {
    self.world = world
    for consumer in world.consumers.exchange([]) {
      let received = await consumer.task.value
      world.faults.expect(
        consumer.expected.map { $0 == received } ?? true,
        "P41: a sequence yielded \(received.count) values that are not those that were set")
    }
    // Properties that one thread sets were checked by that thread.
    nodes = world.livingNodes.filter { $0.audit != nil }
    for watch in world.watches.value {
      // The work of a callback ends as well.
      watch.listener.forget()
      if watch.isActive, let root = watch.root {
        current.append((watch, watch.route.inputs(from: root)))
      } else {
        over.append(watch)
      }
    }
  }

  private func expect(_ isRight: Bool, _ sentence: @autoclosure () -> String) {
    world.faults.expect(isRight, sentence())
  }

  func check() {
    expect(current.count >= 10, "only \(current.count) observations are left to look at")
    for node in nodes { node.observationContext.checkInvariants() }
    checkAudits()
    checkAttached()
    let received = over.map(\.listener.received)
    for node in nodes { for key in Input.Key.allCases { probe(Input(node: node, key: key)) } }
    expect(over.map(\.listener.received) == received, "P31: one that is over received something")
    checkDeallocations()
    checkAudits()
    // Those that are over have been looked at.
    world.watches.exchange(current.map(\.watch))
  }

  // MARK: What is attached

  private func checkAudits() {
    for (stored, received) in world.auditCounts {
      expect(stored == received, "P38: of \(stored) sets of an object, \(received) were received")
    }
  }

  /// Each observation is attached to what it depends on now, once, and to nothing else (P39).
  private func checkAttached() {
    var expected: [Input: Int] = [:]
    var computed: Set<ComputedInput> = []
    for (watch, _) in current {
      guard let root = watch.root else { continue }
      for input in watch.route.attachments(from: root) { expected[input, default: 0] += 1 }
      // The computation of a key is attached once for all observers of the key.
      if let (key, inputs) = watch.route.computedKey(from: root), computed.insert(key).inserted {
        for input in inputs { expected[input, default: 0] += 1 }
      }
    }
    for node in nodes {
      for key in Input.Key.allCases {
        let input = Input(node: node, key: key)
        let count = expected[input, default: 0] + (key == .value && node.audit != nil ? 1 : 0)
        let attached = node.attachedCount(to: key.rawValue)
        expect(
          attached == count, "P39: \(attached) are attached to \(key), who should be \(count)")
      }
    }
  }

  /// Each observation that depends on an input is notified of a set of it once, and no other is.
  private func probe(_ input: Input) {
    let before = current.map(\.watch.listener.received)
    input.set()
    for ((watch, inputs), before) in zip(current, before) {
      var expected = before
      if let reason = inputs[input] {
        expected.changes += 1
        expected.reason = reason
        if watch.receivesPriors { expected.priors += 1 }
      }
      let received = watch.listener.received
      expect(
        received == expected,
        "P25, P39: a set of \(input.key): \(watch.route) received \(received), not \(expected)")
    }
  }

  // MARK: What is over

  /// An observer whose source was deallocated was notified once, and one that ended before at most
  /// once; the closures of both are released.
  private func checkDeallocations() {
    for watch in over {
      let deallocations = watch.listener.received.deallocations
      if watch.isActive {
        let expected = watch.listener.receivesReasons ? 1 : 0
        expect(
          deallocations == expected,
          "P33: \(watch.route) received \(deallocations) deallocations of its source")
      } else {
        expect(
          deallocations <= 1,
          "P33: \(watch.route) received \(deallocations) deallocations of its source")
      }
      expect(!watch.listener.isKept, "P32: the closure of \(watch.route) is kept after its end")
    }
    for (deallocations, _) in world.deallocations.exchange([]) {
      expect(
        deallocations.value == 1,
        "P33: \(deallocations.value) deallocations were received of one object")
    }
    for (watch, _) in current {
      expect(
        watch.listener.received.deallocations == 0,
        "P33: \(watch.route) received a deallocation of an object that is there")
      expect(watch.listener.isKept, "P32: the closure of \(watch.route) is gone before its end")
    }
  }

  // MARK: The end

  /// Ends everything, and looks whether anything remains.
  func end() {
    for (place, (watch, _)) in current.enumerated() {
      watch.end(by: Watch.Ending.allCases[place % 2])
      expect(!watch.listener.isKept, "P32: the closure of \(watch.route) is kept after its end")
    }
    world.forgetAudits()
    for node in nodes {
      node.observationContext.checkInvariants()
      expect(
        !node.observationContext.isObjectObserved, "P38: somebody is attached after the last end")
    }
    let deallocations = nodes.map { node in
      let deallocations = Deallocations()
      return (deallocations, deallocations.watch(node))
    }
    nodes = []
    over = []
    current = []
    world.watches.exchange([])
    world.end()
    for (deallocations, observer) in deallocations {
      expect(
        deallocations.value == 1,
        "P33: \(deallocations.value) deallocations were received of one object")
      observer.cancel()
    }
    for kind in Census.Kind.allCases {
      let count = world.census.living(kind)
      expect(count == 0, "P32: \(count) live on of the kind \(kind)")
    }
  }
}

extension KeyValueObservable {
  /// The number of attachments to a key.
  fileprivate func attachedCount(to key: String) -> Int {
    let context = observationContext
    return key.withKeyName { name in
      guard let observedKey = context.observedKey(named: name)?.takeUnretainedValue() else {
        return 0
      }
      return context.lock.withLock {
        Int(observedKey.state.observers.live + (observedKey.state.extras?.dependents.live ?? 0))
      }
    }
  }
}
