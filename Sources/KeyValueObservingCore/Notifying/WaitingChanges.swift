internal import CKeyValueObserving

/// A change that was made while an earlier one of the same observed key was being delivered.
///
/// It took effect at once; its delivery waits until all observers have received the earlier one (P11).
final class WaitingChange: QueuedChange {
  /// The delivery that it would have had, whose change the running one takes over.
  let delivery: Delivery
  let old: AnyValueBox?
  let new: AnyValueBox?
  private let edit: Edit?
  /// The observers that a transaction passes over (P57).
  let excluded: Set<ObserverIdentity>
  /// The histories that leave it out, since they paused when it began (P58).
  let pausedHistories: PausedHistories?
  let generation: Int
  let origin: ObserverIdentity?
  /// The objects from which paths lead to the observed key.
  let roots: [AnyObject]

  init(
    _ delivery: Delivery, old: AnyValueBox?, new: AnyValueBox?,
    excluding excluded: Set<ObserverIdentity>, generation: Int
  ) {
    var kept = delivery
    kept.noteMade()
    self.delivery = kept
    self.old = old
    self.new = new
    edit = delivery.edit?.takeUnretainedValue()
    self.excluded = excluded
    pausedHistories = ThreadState.current.historiesPausedAtBeginning(of: delivery.number)
    self.generation = generation
    origin = ThreadState.current.delivery?.called
    let others = delivery.backlog?._withUnsafeGuaranteedRef { $0.roots } ?? []
    roots = delivery.snapshot.hasRoots ? delivery.snapshot.roots + others : others
  }

  /// Whether a change that waits behind this one is younger and has the same observer list, but for
  /// observers that ended between the two.
  func isFollowed(by next: WaitingChange) -> Bool {
    delivery.number <= next.delivery.number
      && delivery.snapshot.hasSamePlaces(as: next.delivery.snapshot)
  }
}

/// The changes of one observed key that wait on one thread, in the order in which they were made.
final class WaitingChanges: DeliveryBacklog {
  private var changes = Queue<WaitingChange>()
  /// How many there were, at the end of each run of changes that have the same observer list.
  private var runEnds = Queue<Int>()
  private var takenCount = 0
  fileprivate var limit = LoopLimit()

  /// Whether a change older than `number` is still to be delivered to a derived value.
  ///
  /// - Complexity: O(*n*) in the number of observer lists, however many changes wait.
  func concerns(_ derived: Registration, before number: UInt64) -> Bool {
    var index = 0
    for end in runEnds {
      // An observer that the first of a run does not concern was detached before the others, or is
      // not older.
      let first = changes[index].delivery
      if first.number < number, first.snapshot.contains(derived) { return true }
      index = end - takenCount
    }
    return false
  }

  func append(
    _ delivery: Delivery, old: AnyValueBox?, new: AnyValueBox?,
    excluding excluded: Set<ObserverIdentity>
  ) {
    append(
      WaitingChange(
        delivery, old: old, new: new, excluding: excluded, generation: limit.countChange()))
    guard let others = delivery.waiting?.takeRetainedValue() else { return }
    takeOver(others)
  }

  /// Appends the changes that wait for a change that has come to wait itself.
  fileprivate func takeOver(_ others: WaitingChanges) {
    while let change = others.takeFirst() { append(change) }
  }

  private func append(_ change: WaitingChange) {
    let isInRun = changes.last.map { $0.isFollowed(by: change) } ?? false
    changes.append(change)
    let end = takenCount + changes.count
    if isInRun { runEnds[runEnds.count - 1] = end } else { runEnds.append(end) }
  }

  func takeFirst() -> WaitingChange? {
    guard let first = changes.popFirst() else { return nil }
    takenCount += 1
    if runEnds.first == takenCount { runEnds.remove(at: 0) }
    return first
  }
}

extension Delivery {
  /// Takes over the change of another delivery of the same observed key.
  mutating func take(changeOf other: Delivery) {
    (snapshot, number, traits) = (other.snapshot, other.number, other.traits)
    (edit, handOver) = (other.edit, other.handOver)
  }

  /// The changes that wait for it, which keep its roots as well, retained.
  var waiting: Unmanaged<WaitingChanges>? {
    get { backlog?.unsafelyDowncast(to: WaitingChanges.self) }
    set { backlog = newValue.map { .fromOpaque($0.toOpaque()) } }
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// The delivery of the same observed key that is running on this thread, or is going to for an older change
  /// of the key's dependencies; nil if there is none.
  var running: UnsafeMutablePointer<Delivery>? {
    requires(.turn) ? findRunning() : nil
  }

  /// The same at the end of a transaction, whose snapshots do not know whether there may be one.
  func findRunning() -> UnsafeMutablePointer<Delivery>? {
    let observedKey = pointee.observedKey
    // Each delivery pins the key, and mostly this is the only one.
    if observedKey._withUnsafeGuaranteedRef({ $0.state.pins == 1 }) { return nil }
    let thread = ThreadState.current
    // Before those that run: the change whose dependents are evaluated may itself wait for one of them.
    if let settling = thread.settlingDelivery.outward.first(where: { $0.isOf(observedKey) }) {
      return settling
    }
    let pending = observedKey._withUnsafeGuaranteedRef {
      $0.deliveryToAwait(before: pointee.number)
    }
    return pending ?? thread.delivery.outward.first { $0.isOf(observedKey) }
  }

  // Out of line, since few changes wait (row: set an input, 1 observer).
  /// Leaves a change to this delivery, which runs and will deliver it when its own is done, and
  /// what the change keeps.
  @inline(never)
  func enqueue(
    _ delivery: Delivery, old: AnyValueBox?, new: AnyValueBox?,
    excluding excluded: Set<ObserverIdentity> = []
  ) {
    withWaiting { $0.append(delivery, old: old, new: new, excluding: excluded) }
  }

  /// Calls `body` with the changes that wait for this delivery, none until then.
  func withWaiting(_ body: (WaitingChanges) -> Void) {
    if pointee.waiting == nil { pointee.waiting = .passRetained(WaitingChanges()) }
    pointee.waiting?._withUnsafeGuaranteedRef(body)
  }

  /// Runs `body`, which leaves changes to this delivery that come before those which wait already.
  func enqueueFirst(_ body: () -> Void) {
    let former = pointee.waiting
    pointee.waiting = nil
    body()
    guard let former else { return }
    if pointee.waiting == nil { return pointee.waiting = former }
    withWaiting { $0.takeOver(former.takeRetainedValue()) }
  }

  /// Abandons the changes that wait for this delivery, which does not take place.
  func abandonWaiting() {
    guard let waiting = pointee.waiting?.takeRetainedValue() else { return }
    pointee.waiting = nil
    let queue = RunningQueue(delivery: self, waiting: waiting)
    while let change = queue.takeFirst() { queue.abandon(change) }
  }

  /// Delivers what waits for this delivery, until nothing does.
  @usableFromInline
  func deliverWaiting() {
    guard let waiting = pointee.waiting else { return }
    RunningQueue(delivery: self, waiting: waiting.takeRetainedValue()).deliverAll()
    pointee.waiting = nil
  }
}

extension ObservedKey {
  /// The delivery of the last change of the key that this thread has made before another one, and has yet to
  /// deliver: at the end of a transaction, or as a change of the key's dependencies.
  ///
  /// Changes of the key itself are delivered after it: an overridden property is set, and a manual pair of
  /// a computed key is completed, in a callback that comes before (P11).
  fileprivate func deliveryToAwait(before number: UInt64) -> UnsafeMutablePointer<Delivery>? {
    let (computedKey, delivery) = withLock {
      (state.extras?.computedKey, state.deliveryAfterTransaction)
    }
    guard let output = computedKey?.outputDeliveryToAwait(before: number) else { return delivery }
    // The change of the transaction is itself one of the dependencies, too.
    if let delivery, output.pointee.number <= delivery.pointee.number { return delivery }
    return output
  }
}

/// The changes that wait for a delivery, which delivers them after its own.
private struct RunningQueue: LimitedQueue {
  let delivery: UnsafeMutablePointer<Delivery>
  let waiting: WaitingChanges

  func takeFirst() -> WaitingChange? { waiting.takeFirst() }

  func withLimit<Result>(_ body: (inout LoopLimit) -> Result) -> Result { body(&waiting.limit) }

  func reportLoop(of observers: [ObserverIdentity]) {
    delivery.reportNotConverging(because: observers)
  }

  func deliver(_ change: WaitingChange) {
    conclude(change) {
      delivery.pointee.old = change.old?.address
      delivery.pointee.new = change.new?.address
      let thread = ThreadState.current
      thread.withExclusion(of: change.excluded, by: delivery) {
        thread.withBeginning(of: change.delivery.number, pausing: change.pausedHistories) {
          delivery.call([], in: .deliver)
        }
      }
    }
  }

  func abandon(_ change: WaitingChange) {
    conclude(change) {
      delivery.abandonPriors()
      delivery.runWithPaths(.abandon)
    }
  }

  /// Makes the delivery that of a change which has waited, runs `body`, and ends the change.
  private func conclude(_ change: WaitingChange, _ body: () -> Void) {
    delivery.pointee.take(changeOf: change.delivery)
    body()
    extendLifetime(change)
    delivery.pointee.edit = nil
    delivery.end()
  }
}
