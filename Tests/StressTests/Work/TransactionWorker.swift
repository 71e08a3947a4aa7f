import KeyValueObserving
import KeyValueObservingCore
import TestSupport

/// The turn of a thread among several.
///
/// Not a `Guarded<Void>`: a value without size has the address of its object's head, whose reads
/// ThreadSanitizer takes for races.
final class Turn: Sendable {
  private let lock = Lock()

  func take(_ body: () -> Void) { lock.withLock { body() } }
}

/// A thread that changes shared objects in transactions, one at a time (P56), while other threads begin and end
/// observations of them.
final class TransactionWorker: StressWorker, @unchecked Sendable {  // used by one thread at a time
  private let world: World
  /// Taken around each transaction with shared objects.
  private let turn: Turn
  private var random: SplitMix
  private var own: [OwnObject]
  private var watches: [Watch] = []
  private var lastNumber: Int

  init(_ number: Int, in world: World, turn: Turn, seed: UInt64) {
    self.world = world
    self.turn = turn
    random = SplitMix(seed: seed &+ UInt64(number))
    lastNumber = number << 40
    own = (0..<2).map { OwnObject(in: world, isConsumed: false, isBranch: $0 == 0) }
  }

  func run(_ operations: Int) {
    for _ in 0..<operations { work() }
  }

  func end() { for object in own { object.end() } }

  private func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  private func work() {
    let object = own[random.below(own.count)]
    switch random.below(20) {
    case 0..<7: transactShared()
    case 7..<9: object.setInTransaction([nextNumber(), nextNumber()])
    case 9, 10: object.rollBack(nextNumber())
    case 11: object.set(nextNumber())
    case 12: object.observe(&random)
    case 13: object.endSome(&random)
    case 14: world.replaceNode(&random)
    case 15, 16: endWatch()
    default: watch()
    }
  }

  // MARK: Transactions

  /// Runs a transaction with shared objects, and compares them with how they were if it has thrown.
  private func transactShared() {
    let nodes = (0..<3).compactMap { _ in world.anyShared(&random) }
    let policy: KeyValueTransactionErrorPolicy = random.chance(80) ? .rollBack : .deliver
    let steps = (0..<random.below(6)).map { _ in (random.below(100), random.below(nodes.count)) }
    let isRefused = random.chance(40)
    turn.take {
      let former = nodes.map(state)
      do {
        try withKeyValueTransaction(onError: policy) {
          for (kind, place) in steps { change(nodes[place], kind) }
          if isRefused { throw Refusal() }
        }
      } catch {
        let isRestored = policy == .deliver || nodes.map(state) == former
        world.faults.expect(isRestored, "P50: shared objects have not been rolled back")
      }
    }
  }

  private struct State: Equatable {
    let numbers: [Int]
    let members: Set<Int>
    let objects: [ObjectIdentifier]
  }

  private func state(of node: StressNode) -> State {
    State(
      numbers: [node.mark, node.note, (node as? StressBranch)?.bonus ?? 0], members: node.members,
      objects: node.crowd.map { ObjectIdentifier($0) }
        + (node.child.map { [ObjectIdentifier($0)] } ?? []))
  }

  private func change(_ node: StressNode, _ kind: Int) {
    switch kind {
    case 0..<20: setMark(of: node)
    case 20..<30: node.note = nextNumber()
    case 30..<40: (node as? StressBranch)?.bonus = nextNumber()
    case 40..<60:
      let layer = node.layer + 1
      guard layer < World.layers else { return node.note = nextNumber() }
      node.child = random.chance(10) ? nil : world.node(layer: layer, &random)
    case 60..<68: node.peer = random.chance(10) ? nil : world.anyShared(&random)
    case 68..<74:
      // Only objects of the last layer, so that there are no cycles.
      guard node.layer < World.layers - 1 else { return }
      node.crowd = (0..<2).compactMap { _ in world.node(layer: World.layers - 1, &random) }
    case 74..<84: node.mutableSetValue(for: \.members).insert(random.below(20))
    case 84..<92:
      withKeyValueTransaction {
        setMark(of: node)
        node.note = nextNumber()
      }
    default:
      try? withKeyValueTransaction {
        setMark(of: node)
        node.child = nil
        throw Refusal()
      }
    }
  }

  /// Sets a property that a subclass computes, but for that, whose setter does not put back what its getter
  /// returns.
  private func setMark(of node: StressNode) {
    if node is StressBranch { node.note = nextNumber() } else { node.mark = nextNumber() }
  }

  // MARK: Observing

  private func watch() {
    if watches.count >= 12 { endWatch() }
    let route = Route.allCases[random.below(Route.allCases.count)]
    guard let root = route.isDeep ? world.node(layer: 0, &random) : world.anyShared(&random) else {
      return
    }
    let options = KeyValueObservation.Options.random(&random)
    let watch = Watch(route, from: root, options, receivesReasons: random.chance(40), in: world)
    watch.register(on: root, options)
    watches.append(watch)
  }

  private func endWatch() {
    guard !watches.isEmpty else { return }
    watches.remove(at: random.below(watches.count)).end(
      by: random.chance(60) ? .invalidate : .drop)
  }
}
