import Foundation
import KeyValueObserving
import Testing
import TestSupport

/// A test that fails here leaves threads behind that wait for ever, and touches nothing of theirs.
@Suite("Deadlocks")
struct DeadlockTests {
  private static let patience: TimeInterval = 60
  private let census = Census()

  private func makeNode() -> StressNode { StressNode(layer: 0, audit: nil, in: census) }

  @Test("P39: two setters that set each other's objects do not wait for each other")
  func mutualSetters() async throws {
    let nodes = (makeNode(), makeNode())
    let bothAreCalled = RollCall(2)
    let received = Guarded<[Int]>([])
    func observe(_ node: StressNode, setting other: StressNode) -> KeyValueObservation {
      node.observe(\.value, options: .new, isolation: nil) { _, change in
        received.withLock { $0.append(change.newValue ?? 0) }
        guard change.newValue == 1 else { return }
        bothAreCalled.leave()
        bothAreCalled.wait()
        other.value = 2
      }
    }
    let tokens = [observe(nodes.0, setting: nodes.1), observe(nodes.1, setting: nodes.0)]
    let areDone = await Crew.run(
      within: Self.patience, [{ nodes.0.value = 1 }, { nodes.1.value = 1 }])
    try #require(areDone, "the setters wait for each other")
    #expect(received.value.sorted() == [1, 1, 2, 2])
    tokens.forEach { $0.invalidate() }
  }

  @Test(
    "P8, P32, P39: while code of a user waits, other threads do everything with the same object",
    arguments: Place.allCases)
  func waitingUser(place: Place) async throws {
    let node = makeNode()
    let child = makeNode()
    node.child = child
    let isWaiting = RollCall(1)
    let mayGoOn = RollCall(1)
    let pause = Once {
      isWaiting.leave()
      mayGoOn.wait()
    }
    let prepared = place.prepare(node, child, pause)
    let areDone = await Crew.run(
      within: Self.patience,
      [
        { prepared.trigger() },
        {
          isWaiting.wait()
          useEverything(of: node, census)
          mayGoOn.leave()
        },
      ])
    try #require(areDone, "a thread waits for code of the user in its \(place)")
    prepared.end()
  }

  @Test("P39: a lock of the user may be held around everything, and be taken in callbacks")
  func lockOfTheUser() async throws {
    let node = makeNode()
    let lock = NSLock()
    let isCalled = RollCall(1)
    let isLocked = RollCall(1)
    let token = node.observe(\.value, options: .new, isolation: nil) { _, change in
      guard change.newValue == 1 else { return }
      isCalled.leave()
      isLocked.wait()
      lock.withLock {}
    }
    let areDone = await Crew.run(
      within: Self.patience,
      [
        { node.value = 1 },
        {
          isCalled.wait()
          lock.withLock {
            isLocked.leave()
            useEverything(of: node, census)
          }
        },
      ])
    try #require(areDone, "two locks are taken in both orders")
    token.invalidate()
  }
}

/// Observes, ends and changes in every way.
private func useEverything(of node: StressNode, _ census: Census) {
  let observations = [
    node.observe(\.value, options: [.old, .new], isolation: nil) { _, _ in },
    node.observe(\.value, options: .prior, isolation: nil) { _, _ in },
    node.observe(\.child?.value, options: .initial, isolation: nil) { _, _ in },
    node.observe(\.sum, options: [.old, .new], isolation: nil) { _, _ in },
    try? node.observe("child.sum", isolation: nil) { _, _ in },
  ].compactMap(\.self)
  let observer = KeyValueObserver(source: node, keyPath: \.peer?.value, isolation: nil) { _, _ in }
  let values = node.values(of: \.value, isolation: nil)
  node.value = 7
  node.note = 7
  try? node.setValue(8, forKey: "value")
  node.peer = node.child
  node.withMutation(of: \.value) { node.value = 9 }
  node.willChangeValue(for: \.child)
  node.child = StressNode(layer: 1, audit: nil, in: census)
  node.didChangeValue(for: \.child)
  node.mutableSetValue(for: \.members).insert(1)
  _ = node.sum
  observer.cancel()
  observations.forEach { $0.invalidate() }
  withExtendedLifetime(values) {}
}
