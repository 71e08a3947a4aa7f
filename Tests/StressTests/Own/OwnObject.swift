import KeyValueObserving
import Synchronization
import TestSupport

/// An object whose properties only one thread sets, so that all changes that its observers receive
/// are known beforehand: each change once, on this thread, with the right values.
///
/// Other threads observe it in between, and hold it in weak properties.
final class OwnObject {
  let node: StressNode
  private let world: World
  private var watches: [OwnWatch] = []
  /// The elements that an async sequence of its value has to yield.
  private var history: [Int] = [0]
  private var consumer: Task<[Int], Never>?
  private let deallocations = Deallocations()
  private var deallocationWatch: KeyValueObserver?

  init(in world: World, isConsumed: Bool, isBranch: Bool) {
    self.world = world
    node = world.makeOwnNode(layer: 0, isBranch: isBranch)
    node.child = world.makeOwnNode(layer: 1)
    deallocationWatch = deallocations.watch(node)
    if isConsumed {
      consumer = Consumption.start(
        of: node.values(of: \.value, isolation: nil), world.census.birth(of: .consumer))
    }
  }

  /// Releases the object.
  ///
  /// Its observers receive nothing more.
  func end() {
    for watch in watches { expect([], of: watch, "at the end") }
    world.deallocations.withLock { $0.append((deallocations, deallocationWatch)) }
    if let consumer { world.consumers.withLock { $0.append((consumer, history)) } }
  }

  // MARK: Observing

  func observe(_ random: inout SplitMix) {
    if watches.count >= 4 { endSome(&random) }
    let kinds = OwnWatch.Kind.allCases
    watches.append(OwnWatch(kinds[random.below(kinds.count)], of: node, in: world))
  }

  func endSome(_ random: inout SplitMix) {
    guard !watches.isEmpty else { return }
    let watch = watches.remove(at: random.below(watches.count))
    watch.end()
    change("set after an end", received: 1) { node.value = node.value &+ 1 }
    expect([], of: watch, "after the end")
  }

  // MARK: Changing

  func set(_ number: Int) { change("set", received: 1) { node.value = number } }

  func setByKey(_ number: Int) {
    change("set by key", received: 1) { try? node.setValue(number, forKey: "value") }
  }

  func setMark(_ number: Int) {
    change("set of a property that a subclass computes", [.mark], received: 1) {
      node.mark = number
    }
  }

  /// Sets what only an object of the subclass has.
  func setBonus(_ number: Int) {
    guard let branch = node as? StressBranch else { return setMark(number) }
    change("set of the subclass", [.mark, .sum], received: 1) { branch.bonus = number }
  }

  func setInScope(_ numbers: [Int]) {
    change("scope", received: 1) {
      node.withMutation(of: \.value) { for number in numbers { node.value = number } }
    }
  }

  /// All sets of a transaction are one change, also those of a nested one (P44, P52).
  func setInTransaction(_ numbers: [Int]) {
    change("transaction", received: 1) {
      withKeyValueTransaction {
        for number in numbers { node.value = number &- 1 }
        try? withKeyValueTransaction {
          for number in numbers { node.value = number }
          node.child?.value = numbers[0]
          throw Refusal()
        }
        withKeyValueTransaction { for number in numbers { node.value = number } }
      }
    }
  }

  /// A set that is rolled back is delivered to no observer, and the values are those of before (P50).
  func rollBack(_ number: Int) {
    let former = (node.value, node.mark, node.tags, node.child)
    change("transaction that is rolled back", received: 0) {
      try? withKeyValueTransaction {
        node.value = number
        // A class that is written by hand is put back by its setters, and this one stores something else.
        if !(node is StressBranch) { node.mark = number }
        node.mutableArrayValue(for: \.tags).append(number)
        node.child?.value = number
        withKeyValueTransaction { node.child = nil }
        node.note = number
        throw Refusal()
      }
    }
    // Observers on other threads may set the note.
    let isRestored =
      former.0 == node.value && former.1 == node.mark && former.2 == node.tags
      && former.3 === node.child
    world.faults.expect(isRestored, "P50: a transaction that threw has not been rolled back")
  }

  /// The setter inside sends a notification of its own change.
  func setInPair(_ number: Int) {
    change("pair", received: 2) {
      node.willChangeValue(for: \.value)
      node.value = number
      node.didChangeValue(for: \.value)
    }
  }

  func setTail(_ number: Int) {
    change("set of the tail", [.tail, .tailByString, .sum], received: 1) {
      node.child?.value = number
    }
  }

  func replaceTail(_ number: Int) {
    let tail = world.makeOwnNode(layer: 1)
    tail.value = number
    let former = node.child
    change("link", [.tail, .tailByString, .sum], received: 1) { node.child = tail }
    former?.value = number &+ 1
    for watch in watches {
      // Another thread may be evaluating the sum for the first time, with the former tail in hand.
      if watch.kind == .sum { watch.forget(ReceivedChange(old: node.sum, new: node.sum)) }
      expect([], of: watch, "set of the former tail")
    }
  }

  func edit(_ number: Int, isRemoval: Bool) {
    let proxy = node.mutableArrayValue(for: \.tags)
    let received: ReceivedChange
    if isRemoval, let last = node.tags.last {
      received = ReceivedChange(old: last, kind: .removal, place: proxy.count - 1)
      proxy.removeLast()
    } else {
      received = ReceivedChange(new: number, kind: .insertion, place: proxy.count)
      proxy.append(number)
    }
    for watch in watches { expect(watch.kind == .tags ? [received] : [], of: watch, "edit") }
  }

  // MARK: Checking

  private static let ownKinds: Set<OwnWatch.Kind> = [.value, .valueByKey, .sum]

  /// Makes a change and checks its notifications: so many times, to observers of some kinds.
  private func change(
    _ name: String, _ kinds: Set<OwnWatch.Kind> = ownKinds, received count: Int, _ body: () -> Void
  ) {
    let old = (value: node.value, tail: node.child?.value, sum: node.sum, mark: node.mark)
    body()
    let isOwn = kinds == Self.ownKinds
    if isOwn { history += Array(repeating: node.value, count: count) }
    for watch in watches {
      let received: ReceivedChange =
        switch watch.kind {
        case .value, .valueByKey: ReceivedChange(old: old.value, new: node.value)
        case .tail, .tailByString: ReceivedChange(old: old.tail, new: node.child?.value)
        case .sum: ReceivedChange(old: old.sum, new: node.sum)
        case .mark: ReceivedChange(old: old.mark, new: node.mark)
        case .tags: ReceivedChange()
        }
      expect(
        kinds.contains(watch.kind) ? Array(repeating: received, count: count) : [], of: watch, name)
    }
  }

  private func expect(_ expected: [ReceivedChange], of watch: OwnWatch, _ name: String) {
    let received = watch.take()
    world.faults.expect(
      received == expected, "P8, P38: \(name): \(watch.kind) received \(received), not \(expected)")
  }
}

/// Counts how often an observer is notified that its source was deallocated.
final class Deallocations: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .acquiring) }

  func watch(_ node: StressNode) -> KeyValueObserver {
    KeyValueObserver(source: node, keyPath: \.note, options: [], isolation: nil) {
      [self] _, reason in
      if reason == .sourceDeleted { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
    }
  }
}

/// The error of transactions that are rolled back.
struct Refusal: Error {}
