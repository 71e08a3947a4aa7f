internal import Synchronization

/// A value that is computed from observed keys: a computed property, or a key path.
///
/// It finds its inputs by being evaluated while reads are recorded, and attaches a `Link` to each.
/// A change of an input runs in three steps: before it the old value is captured, right after it
/// (before any callback) the expression is evaluated again and rewired, and when its turn comes it
/// is delivered. So the observers of every expression hear each change once, with the values of
/// that change, whatever the callbacks before them do (P11, P22, P24).
@usableFromInline
class Expression: Attachment {
  /// The object from which the value is reached. It is not retained (P5).
  private(set) weak var subject: AnyObject?

  private let lock = Lock()
  private var links: [Link] = []
  /// Counts the changes of inputs, so that an evaluation notices one that another thread makes.
  private var generation = 0
  private var evaluator: UnsafeMutableRawPointer?
  private var changes: [ExpressionChange] = []
  /// How many changes wait for an older one of the same expression to be delivered.
  private let deferredCount = Atomic<Int>(0)

  init(of subject: AnyObject, demand: Demand = [], receive: @escaping Receive = { _, _ in }) {
    self.subject = subject
    super.init(demand: demand, receive: receive)
  }

  // MARK: For subclasses

  /// What a link asks of a change of a key on the way.
  var linkDemand: Demand { [.phases] }
  /// What a link asks of a change of the key whose value is the expression's.
  var leafDemand: Demand { [] }
  /// Computes the value. Reads are recorded if somebody records.
  func compute(_ subject: AnyObject) -> AnyValueBox? { nil }
  func placement(of slot: Slot, at position: Int) -> Placement { Placement() }
  /// Whether a change of the key reaches the observers of the expression anyway.
  func ignores(_ slot: Slot) -> Bool { false }
  /// Looks at what was read, and may learn from it what parts the keys play.
  func didRead(_ recording: Recording, from subject: AnyObject) -> Reading {
    Reading(areBeforeLast: recording.areBeforeLast)
  }
  func begin(_ change: ExpressionChange, at link: Link, _ subject: AnyObject) {}
  func settle(_ change: ExpressionChange) {}
  func deliver(_ change: ExpressionChange) {}
  func deliverPrior(_ change: ExpressionChange) {}
  func drop(_ change: ExpressionChange) {}
  func leafChanged(_ delivery: UnsafeMutablePointer<Delivery>, _ leaf: LeafValue) {}

  // MARK: Evaluating

  /// Evaluates, attaches to what was read and detaches from what was not read any more.
  @discardableResult
  final func evaluate() -> AnyValueBox? {
    guard let subject else { return nil }
    let thread = UnsafeMutableRawPointer(ThreadState.current)
    lock.lock()
    generation += 1
    let other = evaluator
    if other == nil { evaluator = thread }
    lock.unlock()
    if other == thread { return nil }  // A getter changed what it reads.
    if other != nil { return Recording.pause { compute(subject) } }  // It will read again (P39).
    return evaluate(subject)
  }

  private func evaluate(_ subject: AnyObject) -> AnyValueBox? {
    var rounds = 0
    while true {
      let (current, known) = lock.withLock { (generation, links) }
      let recording = Recording(self, known: known)
      let value = recording.record { compute(subject) }
      let reading = didRead(recording, from: subject)
      rounds += 1
      let isDone = lock.withLock {
        links = recording.links
        for (link, isBeforeLast) in zip(links, reading.areBeforeLast) {
          link.isBeforeLast = isBeforeLast
        }
        let isDone =
          (generation == current && !reading.mustRepeat) || hasEnded
          || rounds == Settling.roundLimit
        if isDone { evaluator = nil }
        return isDone
      }
      for link in recording.dropped { link.detach() }
      if hasEnded { detachLinks() }
      if isDone { return value }
    }
  }

  /// Computes the value as it is, without attaching to anything.
  final func currentValue() -> AnyValueBox? {
    guard let subject else { return nil }
    return Recording.pause { compute(subject) }
  }

  /// Why the value changes when the key of `link` does (P26).
  final func reason(of link: Link) -> KeyValueChangeReason {
    lock.withLock { link.isBeforeLast ? .pathChanged : .valueChanged }
  }

  /// Detaches from everything. The links are what keeps an expression alive.
  final func end() {
    markEnded()
    detachLinks()
  }

  override func didEnd() { detachLinks() }

  private func detachLinks() {
    let links = lock.withLock {
      let links = self.links
      if evaluator == nil { self.links = [] }
      return links
    }
    for link in links { link.detach() }
  }

  // MARK: Changes of inputs

  final func inputWillChange(_ link: Link, _ delivery: UnsafeMutablePointer<Delivery>) {
    if let change = change(of: delivery) {
      // A prior callback changed something: what was captured may be stale.
      if let subject { begin(change, at: link, subject) }
      return
    }
    guard let subject else { return }
    let change = ExpressionChange(of: delivery)
    begin(change, at: link, subject)
    lock.withLock { changes.append(change) }
  }

  final func inputDidChange(_ delivery: UnsafeMutablePointer<Delivery>) {
    let value = evaluate()
    guard let change = change(of: delivery) else { return }
    change.new = value
    settle(change)
  }

  final func deliverPrior(_ delivery: UnsafeMutablePointer<Delivery>) {
    if let change = change(of: delivery) { deliverPrior(change) }
  }

  /// Delivers a change, unless an older one of this expression is still to be delivered on this
  /// thread: then it waits for that one (P11).
  final func turnCame(_ delivery: UnsafeMutablePointer<Delivery>) {
    guard let change = change(of: delivery) else { return }
    if isOutstanding(around: delivery) {
      change.isDue = true
      deferredCount.wrappingAdd(1, ordering: .relaxed)
      return
    }
    remove(change)
    deliver(change)
    deliverDeferred()
  }

  final func abandon(_ delivery: UnsafeMutablePointer<Delivery>) {
    guard let change = change(of: delivery) else { return }
    remove(change)
    drop(change)
  }

  // MARK: Waiting for older changes

  /// Whether a delivery around this one is calling this expression, or has yet to.
  final func isOutstanding(around delivery: UnsafeMutablePointer<Delivery>) -> Bool {
    delivery.pointee.outer.first { $0.hasYetToReach(self) } != nil
  }

  /// Keeps a change for later that was delivered out of its order.
  final func deferDelivery(of change: ExpressionChange) {
    change.isDue = true
    lock.withLock { changes.append(change) }
    deferredCount.wrappingAdd(1, ordering: .relaxed)
  }

  /// Delivers what waited, in the order in which it was made.
  final func deliverDeferred() {
    if deferredCount.load(ordering: .relaxed) == 0 { return }
    let thread = UnsafeMutableRawPointer(ThreadState.current)
    var rounds = 0
    while let change = takeDue(on: thread) {
      rounds += 1
      if rounds > Settling.roundLimit || hasEnded {
        if rounds == Settling.roundLimit + 1 { reportNotSettling() }
        drop(change)
      } else {
        deliver(change)
      }
    }
  }

  func reportNotSettling() {}

  private func takeDue(on thread: UnsafeMutableRawPointer) -> ExpressionChange? {
    lock.withLock {
      guard let place = changes.firstIndex(where: { $0.thread == thread }), changes[place].isDue
      else { return nil }
      deferredCount.wrappingSubtract(1, ordering: .relaxed)
      return changes.remove(at: place)
    }
  }

  private func change(of delivery: UnsafeMutablePointer<Delivery>) -> ExpressionChange? {
    let thread = UnsafeMutableRawPointer(ThreadState.current)
    let number = delivery.pointee.change
    return lock.withLock {
      changes.last { $0.number == number && $0.thread == thread && !$0.isDue }
    }
  }

  private func remove(_ change: ExpressionChange) {
    lock.withLock { changes.removeAll { $0 === change } }
  }

  /// Traps where the state contradicts itself. Tests call it after every step.
  func checkInvariants() {
    lock.withLock {
      precondition(evaluator != nil || links.allSatisfy { $0.expression === self })
      precondition(
        Set(links.compactMap { $0.slot.map(ObjectIdentifier.init) }).count == links.count,
        "an expression is attached twice to one key (P30)")
    }
  }
}

/// What an evaluation has shown.
struct Reading {
  /// For each link, whether its key comes before the last one of a path.
  var areBeforeLast: [Bool]
  /// Whether keys turned out to play other parts than was thought, so that the links are not the
  /// right ones.
  var mustRepeat = false
}

/// One change of an expression, from before the change of its input until it is delivered.
final class ExpressionChange {
  let number: UInt64
  let thread: UnsafeMutableRawPointer
  /// Whether the input was zeroed, so that there is no old value (P27).
  let isZeroing: Bool
  var reason = KeyValueChangeReason.valueChanged
  var old: AnyValueBox?
  var new: AnyValueBox?
  /// Whether its turn has come, and it only waits for an older change.
  var isDue = false
  /// The delivery to the observers of a computed key.
  var delivery: UnsafeMutablePointer<Delivery>?
  var subject: AnyObject?

  init(of delivery: UnsafeMutablePointer<Delivery>) {
    number = delivery.pointee.change
    thread = UnsafeMutableRawPointer(ThreadState.current)
    isZeroing = delivery.pointee.isZeroing
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// Whether the delivery calls `expression` at this moment, or has yet to.
  func hasYetToReach(_ expression: Expression) -> Bool {
    let round = pointee.round
    for place in max(pointee.cursor, 0)..<(round.observerCount + round.dependentCount) {
      let entry =
        place < round.observerCount
        ? round.observers?[Int(place)] : round.dependents?[Int(place - round.observerCount)]
      if entry?._withUnsafeGuaranteedRef({ $0.observation === expression }) ?? false {
        return true
      }
    }
    return false
  }
}
