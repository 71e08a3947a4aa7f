internal import CKeyValueObserving
internal import Synchronization

/// The work that waits for an actor, from all observations that belong to it (P40).
///
/// All of them share one queue, so that the changes of one do not overtake those of another.
package final class ActorQueue: @unchecked Sendable {  // what is mutable is guarded by `lock`
  /// The actor, referenced weakly, so that an actor that keeps its own observations can be
  /// deallocated.
  private weak var actor: (any Actor)?
  private let identity: ObjectIdentifier
  /// Whether a class may be isolated to the actor.
  private let isGlobal: Bool
  private let executor: kvo_executor
  private let lock = Lock()
  private var waiting = Queue<Work>()
  /// Whether a task will run the waiting work; if not, the next call of `schedule` has to start one.
  private var isAwaited = false

  private struct Work {
    let number: HandOver
    /// Kept until the work is done.
    let owner: (any ActorWorkOwner)?
    let run: () -> Void
  }

  private init(_ actor: any Actor) {
    self.actor = actor
    identity = ObjectIdentifier(actor)
    isGlobal = type(of: actor) is any GlobalActor.Type
    executor = RuntimeLayout.words(of: actor.unownedExecutor)
  }

  deinit {
    ActorQueue.forget(self)
  }

  /// Whether the running code is isolated to the actor.
  package var isOnActor: Bool {
    // An actor may own its executor, and another one may have been given the address of one that is
    // gone.
    guard let actor else { return false }
    return withExtendedLifetime(actor) { kvo_is_current_executor(executor) }
  }

  /// Whether work waits.
  var hasWaiting: Bool { lock.withLock { !waiting.isEmpty } }

  /// Schedules work on the actor, in order.
  ///
  /// If the actor was deallocated, the work cannot run, and the owners of the work that waits release
  /// what it would have used.
  func schedule(for owner: (any ActorWorkOwner)? = nil, _ run: @escaping () -> Void) {
    let isAwaited = lock.withLock {
      let wasAwaited = self.isAwaited
      waiting.append(Work(number: .next(), owner: owner, run: run))
      self.isAwaited = true
      return wasAwaited
    }
    if isAwaited { return }
    guard let actor else { return dropWaiting() }
    Task { await collect(on: actor) }
  }

  /// Does what waits, a part at a time: where other threads do not stop making changes, the actor has
  /// time for what else waits for it.
  private func collect(on actor: isolated any Actor) async {
    while let last = lock.withLock({ lastToCollect() }) {
      deliver(upTo: last, limit: ActorQueue.limitPerTurn)
      if hasWaiting { await Task.yield() }
    }
  }

  private static var limitPerTurn: Int { 100 }

  /// Does the work that was handed over up to `last`, and of `owner` up to `lastOfOwner`.
  ///
  /// Only the actor may call it.
  func deliver(upTo last: HandOver, of owner: any ActorWorkOwner, upTo lastOfOwner: HandOver) {
    deliver(upTo: last, limit: .max)
    if last == lastOfOwner { return }
    while let work = lock.withLock({ takeFirst(of: owner, upTo: lastOfOwner) }) { work.run() }
  }

  private func deliver(upTo last: HandOver, limit: Int) {
    var count = 0
    while count < limit, let work = lock.withLock({ takeFirst(upTo: last) }) {
      work.run()
      count += 1
    }
  }

  /// The last work that waits now.
  ///
  /// Nil if none waits; then the next one that comes needs a task.
  private func lastToCollect() -> HandOver? {
    if waiting.isEmpty { isAwaited = false }
    return waiting.last?.number
  }

  private func dropWaiting() {
    while let work = lock.withLock({ takeFirstToDrop() }) { work.owner?.release() }
  }

  private func takeFirstToDrop() -> Work? {
    let work = waiting.popFirst()
    if work == nil { isAwaited = false }
    return work
  }

  private func takeFirst(upTo last: HandOver) -> Work? {
    guard !waiting.isEmpty, waiting[0].number <= last else { return nil }
    return waiting.popFirst()
  }

  private func takeFirst(of owner: any ActorWorkOwner, upTo last: HandOver) -> Work? {
    let found = waiting.firstIndex { $0.owner === owner || !($0.number <= last) }
    guard let found, waiting[found].number <= last else { return nil }
    return waiting.remove(at: found)
  }
}

/// The owner of work that waits for an actor.
protocol ActorWorkOwner: AnyObject {
  /// Releases what the work would have used, because the actor was deallocated.
  func release()
}

// MARK: The queues of all actors

extension ActorQueue {
  private struct Reference {
    weak var queue: ActorQueue?
  }

  /// Taken by registrations that belong to an actor, and by no others.
  private static let tableLock = Lock()
  /// Guarded by `tableLock`.
  nonisolated(unsafe) private static var table: [ObjectIdentifier: Reference] = [:]
  /// How many of them are those of global actors, and which.
  ///
  /// There are few, however many actors there are. Guarded likewise, but the number may be read.
  private static let globalCount = Atomic<Int>(0)
  nonisolated(unsafe) private static var globals: Set<ObjectIdentifier> = []

  /// The queue of an actor, which lasts as long as an observation or what waits keeps it.
  package static func of(_ actor: any Actor) -> ActorQueue {
    find(actor) ?? insert(ActorQueue(actor), for: actor)
  }

  /// The queue of the global actor to which the running code is isolated, if something waits or may
  /// come to wait for it.
  ///
  /// - Complexity: O(*n*) in the number of global actors that observe.
  static var currentGlobal: ActorQueue? {
    if globalCount.load(ordering: .relaxed) == 0 { return nil }
    // Looked at, and released, outside of the lock, which the end of a queue takes.
    return tableLock.withLock { globals.compactMap { table[$0]?.queue } }
      .first(where: \.isOnActor)
  }

  private static func find(_ actor: any Actor) -> ActorQueue? {
    // Another actor may have been given the address of one that is gone.
    tableLock.withLock { table[ObjectIdentifier(actor)]?.queue }
      .flatMap { $0.actor === actor ? $0 : nil }
  }

  /// Makes a queue that of its actor, unless another thread has come first.
  private static func insert(_ made: ActorQueue, for actor: any Actor) -> ActorQueue {
    let (queue, former) = tableLock.withLock { () -> (ActorQueue, ActorQueue?) in
      let former = table[made.identity]?.queue
      if let former, former.actor === actor { return (former, nil) }
      table[made.identity] = Reference(queue: made)
      noteGlobal(made.identity, made.isGlobal)
      return (made, former)
    }
    // Outside of the lock, which the end of a queue takes.
    extendLifetime(former)
    return queue
  }

  private static func noteGlobal(_ identity: ObjectIdentifier, _ isGlobal: Bool) {
    if isGlobal { globals.insert(identity) } else { globals.remove(identity) }
    globalCount.store(globals.count, ordering: .relaxed)
  }

  private static func forget(_ gone: ActorQueue) {
    let identity = gone.identity
    // Another queue that is there is released outside of the lock as well.
    let successor = tableLock.withLock {
      let queue = table[identity]?.queue
      if queue == nil {
        table[identity] = nil
        noteGlobal(identity, false)
      }
      return queue
    }
    extendLifetime(successor)
  }
}
