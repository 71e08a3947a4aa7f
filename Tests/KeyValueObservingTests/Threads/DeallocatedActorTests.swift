import Dispatch
import KeyValueObserving
import Testing

/// Observes without being retained.
private actor Observing {
  /// The handler holds a canary.
  func observe(_ shared: Shared, holding canary: sending Canary) -> KeyValueObservation {
    shared.observe(\.value) { [canary] _, _ in _ = canary }
  }
}

/// Shares its executor with others.
private actor Sharing {
  final class Executor: SerialExecutor {
    private let queue = DispatchQueue(label: "actors")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  nonisolated private let executor: Executor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private(set) var received: [Int] = []
  private var token: KeyValueObservation?

  init(on executor: Executor) { self.executor = executor }

  func listen(to shared: Shared) {
    token = shared.observe(\.value, options: .new) { _, change in
      self.received.append(change.newValue!)
    }
  }

  /// Sets values on another thread, and then one here.
  func set(upTo last: Int, on shared: Shared) {
    onThread { for value in 1..<last { shared.value = value } }
    shared.value = last
  }
}

/// Observations of actors that are gone, or that share an executor.
@Suite struct DeallocatedActorTests {
  @Test("P32, P40: work that comes while that of a deallocated actor is dropped is dropped as well")
  func comesWhileDropped() async {
    let (first, second, third) = (Shared(), Shared(), Shared())
    let released = Counter()
    var tokens: [KeyValueObservation] = []
    weak var watched: Observing?
    do {
      let actor = Observing()
      watched = actor
      tokens = [
        await actor.observe(
          first,
          holding: Canary {
            released.increment()
            onThread { second.value = 1 }
          }),
        await actor.observe(second, holding: Canary { released.increment() }),
        await actor.observe(third, holding: Canary { released.increment() }),
      ]
    }
    while watched != nil { await Task.yield() }
    first.value = 1
    #expect(released.value == 2)
    third.value = 1
    #expect(released.value == 3)
    withExtendedLifetime(tokens) {}
  }

  @Test("P40: two actors that share an executor receive the changes of a key in their order")
  func sharedExecutor() async {
    let shared = Shared()
    let executor = Sharing.Executor()
    let actors = [Sharing(on: executor), Sharing(on: executor)]
    for actor in actors { await actor.listen(to: shared) }
    for _ in 0..<2 { await actors[0].set(upTo: 150, on: shared) }
    for actor in actors {
      #expect(await actor.received == Array(1...150) + Array(1...150))
    }
  }
}
