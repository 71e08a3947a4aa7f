internal import CKeyValueObserving

/// A change that was made while an earlier one of the same observed key was being delivered.
///
/// It took effect at once; its delivery waits until all observers have received the earlier one (P11).
final class WaitingChange: QueuedChange {
  let snapshot: ObserverSnapshot
  let number: UInt64
  let traits: Delivery.Traits
  let old: AnyValueBox?
  let new: AnyValueBox?
  let edit: Edit?
  /// The observers that a transaction passes over (P57).
  let excluded: Set<ObserverIdentity>
  let generation: Int
  let origin: ObserverIdentity?
  /// The objects from which paths lead to the observed key.
  let roots: [AnyObject]
  /// The changes that the delivery has kept until now.
  private let kept: WaitingChanges?

  init(
    _ delivery: Delivery, old: AnyValueBox?, new: AnyValueBox?,
    without excluded: Set<ObserverIdentity>,
    generation: Int, origin: ObserverIdentity?
  ) {
    snapshot = delivery.snapshot
    roots = snapshot.hasRoots ? snapshot.roots : []
    number = delivery.number
    traits = delivery.traits
    edit = delivery.edit?.takeUnretainedValue()
    self.old = old
    self.new = new
    self.excluded = excluded
    self.generation = generation
    self.origin = origin
    kept = delivery.waiting?.takeRetainedValue()
  }

  /// Whether a change that waits behind this one is younger and has the same observer list, but for
  /// observers that ended between the two.
  func isFollowed(by next: WaitingChange) -> Bool {
    number <= next.number && snapshot.hasSamePlaces(as: next.snapshot)
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
      let first = changes[index]
      if first.number < number, first.snapshot.contains(derived) { return true }
      index = end - takenCount
    }
    return false
  }

  func append(
    _ delivery: Delivery, old: AnyValueBox?, new: AnyValueBox?,
    without excluded: Set<ObserverIdentity>
  ) {
    let change = WaitingChange(
      delivery, old: old, new: new, without: excluded, generation: limit.countChange(),
      origin: ThreadState.current.delivery?.called)
    append(change)
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
    pointee.snapshot.mayBeNested ? findRunning() : nil
  }

  /// The same at the end of a transaction, whose snapshots do not know whether there may be one.
  @inline(__always)
  func findRunning() -> UnsafeMutablePointer<Delivery>? {
    // Each delivery pins the key, and mostly this is the only one.
    let isAlone = pointee.observedKey._withUnsafeGuaranteedRef { $0.state.pins == 1 }
    return isAlone ? nil : findRunningAmongOthers()
  }

  @inline(never)
  private func findRunningAmongOthers() -> UnsafeMutablePointer<Delivery>? {
    let observedKey = pointee.observedKey
    let isOfKey = { (delivery: UnsafeMutablePointer<Delivery>) in
      delivery.pointee.observedKey.toOpaque() == observedKey.toOpaque()
    }
    let thread = ThreadState.current
    // Before those that run: the change whose dependents are evaluated may itself wait for one of them.
    if let settling = thread.settlingDelivery.first(where: isOfKey) { return settling }
    let pending = observedKey._withUnsafeGuaranteedRef {
      $0.deliveryToAwait(before: pointee.number)
    }
    return pending ?? thread.delivery.first(where: isOfKey)
  }

  // Out of line, since few changes wait (row: set an input, 1 observer).
  /// Leaves a change to this delivery, which runs and will deliver it when its own is done, and
  /// what the change keeps.
  @inline(never)
  func enqueue(
    _ delivery: Delivery, old: AnyValueBox?, new: AnyValueBox?,
    without excluded: Set<ObserverIdentity> = []
  ) {
    let waiting =
      pointee.waiting
      ?? {
        let made = Unmanaged.passRetained(WaitingChanges())
        pointee.waiting = made
        return made
      }()
    let former = delivery.waiting
    waiting._withUnsafeGuaranteedRef { waiting in
      waiting.append(delivery, old: old, new: new, without: excluded)
      former?._withUnsafeGuaranteedRef { waiting.takeOver($0) }
    }
  }

  /// Runs `body`, which leaves changes to this delivery that come before those which wait already.
  func enqueueFirst(_ body: () -> Void) {
    let former = pointee.waiting
    pointee.waiting = nil
    body()
    guard let former else { return }
    guard let waiting = pointee.waiting else { return pointee.waiting = former }
    waiting._withUnsafeGuaranteedRef { waiting in
      former._withUnsafeGuaranteedRef { waiting.takeOver($0) }
    }
    former.release()
  }

  /// Abandons the changes that wait for this delivery, which does not take place.
  func abandonWaiting() {
    guard let waiting = pointee.waiting?.takeRetainedValue() else { return }
    pointee.waiting = nil
    while let change = waiting.takeFirst() { abandon(change) }
  }

  /// Delivers what waits for this delivery, until nothing does.
  @usableFromInline
  func deliverWaiting() {
    guard let waiting = pointee.waiting else { return }
    RunningQueue(delivery: self, waiting: waiting.takeRetainedValue()).deliverAll()
    pointee.waiting = nil
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

  func deliver(_ change: WaitingChange) { delivery.deliver(change) }

  func abandon(_ change: WaitingChange) { delivery.abandon(change) }
}

extension UnsafeMutablePointer<Delivery> {
  fileprivate func deliver(_ change: WaitingChange) {
    pointee.snapshot = change.snapshot
    pointee.number = change.number
    pointee.traits = change.traits
    pointee.edit = change.edit.map(Unmanaged.passUnretained)
    withAddresses(in: change.old, change.new) { old, new in
      pointee.old = old
      pointee.new = new
      ThreadState.current.withExclusion(of: change.excluded, by: self) { run(.deliver) }
    }
    extendLifetime(change.roots)
    pointee.edit = nil
    end()
  }

  fileprivate func abandon(_ change: WaitingChange) {
    pointee.snapshot = change.snapshot
    pointee.number = change.number
    pointee.traits = change.traits
    abandonPriors()
    run(.abandon)
    end()
  }
}
