import KeyValueObserving
import Testing

/// Guards itself, so it may be changed from anywhere.
@KeyValueObservable
private final class SharedItem: @unchecked Sendable {
  var x = 0
  var tags: [String] = []
  var next: SharedItem?
  var double: Int { x * 2 }
}

private actor PriorWatcher {
  private var received: [String] = []
  private var tokens: [KeyValueObservation] = []

  private func note<Value>(_ name: String, _ change: KeyValueChange<Value>) {
    received.append(change.isPrior ? "\(name) prior" : name)
  }

  func watch(_ item: SharedItem, options: KeyValueObservation.Options = [.prior, .old, .new]) throws
  {
    tokens = [
      item.observe(\.x, options: options) { _, change in self.note("x", change) },
      item.observe(\.double, options: options) { _, change in self.note("double", change) },
      item.observe(\.next?.x, options: options) { _, change in self.note("next.x", change) },
      item.observe(\.next?.double, options: options) { _, change in
        self.note("next.double", change)
      },
      item.observe(\.tags, options: options) { _, change in self.note("tags", change) },
      try item.observe("x", options: options) { _, change in self.note("string", change) },
    ]
  }

  func run(_ body: @Sendable () -> Void) { body() }

  func takeReceived() -> [String] {
    defer { received = [] }
    return received
  }

  func stop() { tokens = [] }
}

/// Observers that belong to an actor, and transactions that leave everything as it was.
@Suite struct RollbackOnActorTests {
  private let item = SharedItem()

  init() { item.next = SharedItem() }

  @Sendable private func changeAndTakeBack() {
    try? withKeyValueTransaction {
      item.x = 1
      item.next?.x = 1
      item.tags = ["a"]
      throw Refused()
    }
    withKeyValueTransaction {
      let tags = item.mutableArrayValue(for: \.tags)
      tags.append("b")
      _ = tags.popLast()
    }
  }

  @Test(
    "P40, P47: one that no prior notification has reached receives no change after a rollback",
    arguments: [[.prior, .old, .new], [.prior, .new, .distinct]] as [KeyValueObservation.Options])
  func takenBackElsewhere(options: KeyValueObservation.Options) async throws {
    let watcher = PriorWatcher()
    try await watcher.watch(item, options: options)
    changeAndTakeBack()
    item.x = 5
    // Delivers what waits for the actor.
    await watcher.run { [item] in item.x = 6 }
    let received = await watcher.takeReceived()
    #expect(received.prefix(3) == ["x", "string", "double"])
    #expect(
      received.dropFirst(3) == ["x prior", "string prior", "double prior", "x", "string", "double"])
    await watcher.stop()
  }

  @Test("P40, P47: one that prior notifications have reached, on its actor, receives the changes")
  func takenBackOnActor() async throws {
    let watcher = PriorWatcher()
    try await watcher.watch(item)
    await watcher.run(changeAndTakeBack)
    let received = await watcher.takeReceived()
    let priors = received.filter { $0.hasSuffix(" prior") }
    let changes = received.filter { !$0.hasSuffix(" prior") }
    #expect(priors.map { String($0.dropLast(" prior".count)) }.sorted() == changes.sorted())
    #expect(priors.count == 7)
    await watcher.stop()
  }

  @Test("P40, P57: nor does one receive what is changed in its name, after a rollback elsewhere")
  func excludedElsewhere() async throws {
    let watcher = PriorWatcher()
    let token = await watcher.watchAlone(item)
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        item.x = 1
        throw Refused()
      }
      withKeyValueTransaction(withoutNotifying: [token]) { item.x = 2 }
    }
    item.x = 3
    await watcher.run { [item] in item.x = 4 }
    #expect(await watcher.takeReceived() == ["x", "x prior", "x"])
    token.invalidate()
  }
}

extension PriorWatcher {
  fileprivate func watchAlone(_ item: SharedItem) -> KeyValueObservation {
    item.observe(\.x, options: [.prior]) { _, change in self.note("x", change) }
  }
}
