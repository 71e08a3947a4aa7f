/// The state of one observed key of one object.
///
/// A plain value without a lock; an object's context guards it. Work that must happen outside the
/// lock (releasing observations, calling observers) is returned, never done here.
struct SlotState: ~Copyable {
  /// The observers of the key itself.
  private(set) var observers = Audience()
  /// Deliveries that read the audience at this moment, on all threads.
  private(set) var pins: Int32 = 0
  /// The number of changes that are in progress while no thread delivers them.
  private(set) var holds: Int32 = 0
  /// The number of rounds that have begun.
  private var roundCount: UInt64 = 0
  private var demands = DemandCounts()
  /// How many expressions were ever attached.
  private(set) var expressionCount: UInt32 = 0
  /// The state that few slots need; nil until it is needed.
  var extras: SlotExtras?

  var isObserved: Bool {
    @inline(__always) get { observers.live > 0 || extras != nil && hasDependents }
  }

  /// Whether an attachment asks for prior notifications.
  var requestsPriors: Bool { demands.union.contains(.prior) }

  private var hasDependents: Bool { extras?.dependents.live ?? 0 > 0 }

  mutating func attach(_ attachment: Attachment) {
    if attachment.isRegistration { attachment.firstRound = roundCount + 1 }
    let outgrown: OutgrownBuffer?
    switch attachment.rank {
    case .observer:
      attachment.index = observers.count
      outgrown = observers.append(Entry(attachment))
    case .dependent:
      let extras = madeExtras()
      attachment.index = extras.dependents.count
      outgrown = extras.dependents.append(Entry(attachment))
    }
    demands.add(attachment.requestedDemand)
    if attachment.demand.contains(.phases) { expressionCount &+= 1 }
    if let outgrown { outgrew(outgrown, of: attachment.rank) }
  }

  /// Attaches the closure of a token.
  mutating func attach(
    _ closure: ErasedHandler, demanding demand: Demand, of token: KeyValueObservation
  ) {
    token.place = observers.count
    let entry = Entry(closure, Entry.Kind(closureDemanding: demand), of: token)
    demands.add(demand)
    if let outgrown = observers.append(entry) { outgrew(outgrown, of: .observer) }
  }

  /// Lets an attachment ask for more than it has asked for.
  mutating func request(_ demand: Demand, for attachment: Attachment) {
    demands.remove(attachment.requestedDemand)
    attachment.requestedDemand = demand
    demands.add(demand)
  }

  private mutating func outgrew(_ buffer: OutgrownBuffer, of rank: Rank) {
    if pins == 0 { return buffer.deallocate() }
    switch rank {
    case .observer: madeExtras().outgrown.append(buffer)
    case .dependent: madeExtras().outgrownDependents.append(buffer)
    }
  }

  /// Takes an attachment out.
  ///
  /// While a delivery reads the audience, the slot keeps the attachment until the last delivery is
  /// done.
  mutating func detach(_ attachment: Attachment) {
    demands.remove(attachment.requestedDemand)
    switch attachment.rank {
    case .observer: observers.remove(attachment, isPinned: pins > 0)
    case .dependent: extras!.dependents.remove(attachment, isPinned: pins > 0)
    }
    if pins > 0 {
      attachment.leave(after: roundCount)
      madeExtras().departed.append(attachment)
    }
  }

  /// Detaches the closure at an index, which is not called any more.
  ///
  /// Returns it, to be released outside the lock; while deliveries read the observer list, the last
  /// one returns it.
  mutating func detachClosure(at place: Int32) -> ErasedHandler? {
    demands.remove(observers.buffer![Int(place)].kind.demand)
    if pins > 0 {
      let extras = madeExtras()
      extras.hasEndedClosures = true
      // A delivery may read a buffer from before the audience grew.
      for buffer in extras.outgrown { buffer.clear(place) }
    }
    return observers.removeClosure(at: place, isPinned: pins > 0)
  }

  /// Forgets everybody, because the object is gone, and returns them in order.
  mutating func detachAll() -> [Attached] {
    demands = DemandCounts()
    let attached = observers.removeAll()
    guard let extras else { return attached }
    return attached + extras.dependents.removeAll()
  }

  /// Fixes the observers of a change that begins now.
  ///
  /// `pinDependents(_:)` must follow.
  @inline(__always)
  mutating func pin() -> Round {
    let turn: Demand = pins > 0 ? .turn : []
    pins &+= 1
    roundCount &+= 1
    return Round(
      observers: observers.buffer, number: roundCount, observerCount: observers.count,
      closureCount: observers.count, expressionCount: expressionCount,
      demand: demands.union.union(turn))
  }

  /// Takes those into the audience of a change that is about to be made who have come since the
  /// change began to be prepared.
  ///
  /// Returns those who have gone since then, whom it will not call.
  mutating func extend(_ round: inout Round) -> [Attachment] {
    let former = round.latestNumber
    // A number of its own, because a round that began meanwhile still calls those who have gone.
    roundCount += 1
    round.extensionDistance = UInt32(clamping: roundCount - round.number)
    round.observers = observers.buffer
    round.observerCount = observers.count
    // Keeps the demand of detached observers: the change can no longer take the fast path.
    round.demand.formUnion(demands.union)
    pinDependents(&round)
    return extras?.departed.filter { $0.lastRound.load(ordering: .relaxed) >= former } ?? []
  }

  /// Takes those out of the audience of a change who have gone while it was being made, but for
  /// paths that have come back since, whose new place is not in the round.
  ///
  /// Returns who was taken out.
  mutating func dismissDeparted(from round: inout Round) -> [Attachment] {
    let former = round.latestNumber
    let departed = extras?.departed.filter { $0.lastRound.load(ordering: .relaxed) >= former } ?? []
    if departed.isEmpty { return [] }
    roundCount += 1
    round.extensionDistance = UInt32(clamping: roundCount - round.number)
    return departed.filter { attachment in
      // Takes the lock of the expression inside that of the slot, which is never done the other way.
      guard let link = attachment as? Link, link.expression.isAttachedAnew(instead: link) else {
        return true
      }
      link.stay(until: roundCount)
      return false
    }
  }

  /// Completes what `pin()` began.
  ///
  /// Few slots have dependents.
  func pinDependents(_ round: inout Round) {
    guard let extras else { return }
    round.dependents = extras.dependents.buffer
    round.dependentCount = extras.dependents.count
  }

  /// Ends what `pin()` began, if there are no extras.
  ///
  /// Returns false, and does nothing, if there are.
  @inline(__always)
  mutating func unpinAlone() -> Bool {
    if extras != nil { return false }
    pins &-= 1
    return true
  }

  /// Ends what `pin()` began, if nothing is kept that only deliveries need.
  ///
  /// Returns false, and does nothing, if there is.
  mutating func unpinUnlessSweepIsDue() -> Bool {
    if isSweepDue { return false }
    pins &-= 1
    return true
  }

  /// Whether something is kept that only deliveries need.
  private var isSweepDue: Bool {
    guard let extras else { return false }
    return extras.hasEndedClosures || !extras.departed.isEmpty || extras.hasOutgrownBuffers
      || observers.isSparse || extras.dependents.isSparse
  }

  /// Ends what `pin()` began.
  ///
  /// Returns what the caller must release outside the lock.
  mutating func unpin() -> Departed? {
    pins -= 1
    return sweep()
  }

  /// Ends a snapshot temporarily: its entries stay, but observers are not retained.
  ///
  /// Returns the objects that the caller must release outside the lock.
  mutating func hold(_ round: Round) -> Departed? {
    holds += 1
    observers.hold(round.observerCount)
    extras?.dependents.hold(round.dependentCount)
    return unpin()
  }

  /// Goes on after `hold(_:)`, with those of the round who are still there.
  mutating func resume(_ round: inout Round) {
    round.mayBeNested = pins > 0
    pins += 1
    round.observers = observers.buffer
    round.dependents = extras?.dependents.buffer
    endHold()
  }

  /// Ends what `hold(_:)` began, where nothing goes on.
  mutating func endHold(of count: Int32 = 1) {
    holds -= count
    if holds > 0 { return }
    observers.endHold(isPinned: pins > 0)
    extras?.dependents.endHold(isPinned: pins > 0)
  }

  /// Removes the parts that work only while the slot is observed, and pairs without observers.
  mutating func takeIdleParts(isTracked: Bool = false) -> IdleParts? {
    guard let extras else { return nil }
    let pairs = extras.openPairs
    extras.openPairs = []
    endHold(of: Int32(pairs.count))
    return extras.takeIdleParts(with: pairs, isTracked: isTracked)
  }

  /// Takes out what computes the key for its observers, where they are gone and only what is computed
  /// from it is left.
  func takeIdleDependentKey() -> IdleParts? {
    guard observers.live == 0, let dependentKey = extras?.dependentKey else { return nil }
    extras?.dependentKey = nil
    return IdleParts(
      dependentKey: dependentKey, deathWatches: [], openPairs: [], observance: nil)
  }

  /// Keeps a pair until its second call, unless all its observers have ended since the first.
  mutating func insert(_ pair: OpenPair) {
    if isObserved { madeExtras().openPairs.append(pair) } else { endHold() }
  }

  /// Takes out the pair that was opened last.
  func takePair() -> OpenPair? { extras?.openPairs.popLast() }

  private mutating func sweep() -> Departed? {
    guard pins == 0, isSweepDue, let extras else { return nil }
    let closures = observers.sweep()
    _ = extras.dependents.sweep()
    extras.deallocateOutgrownBuffers()
    extras.hasEndedClosures = false
    let departed = Departed(closures: closures, attachments: extras.departed)
    extras.departed = []
    return departed
  }

  /// The expressions that came after the audience of `round` was fixed, which is nil where there
  /// was none.
  ///
  /// They may have read what the change has replaced meanwhile.
  func latecomers(to round: Round?) -> [Expression]? {
    if expressionCount == round?.expressionCount ?? 0 { return nil }
    let isFixed = round.map { !$0.isExtended } ?? false
    let observers = observers.attachments(from: isFixed ? round?.observerCount ?? 0 : 0)
    let dependents =
      extras?.dependents.attachments(from: isFixed ? round?.dependentCount ?? 0 : 0) ?? []
    return (observers + dependents).compactMap { ($0 as? Link)?.expression }
  }

  mutating func setDependentKey(_ dependentKey: DependentKey) {
    madeExtras().dependentKey = dependentKey
  }

  /// Notes that a weak property holds an object whose deallocation cannot be watched.
  ///
  /// Returns false if it has held one of the class since the slot is observed.
  mutating func note(silent type: AnyClass) -> Bool {
    madeExtras().silentClasses.insert(ObjectIdentifier(type)).inserted
  }

  mutating func madeExtras() -> SlotExtras {
    if let extras { return extras }
    let made = SlotExtras()
    extras = made
    return made
  }

  /// Traps where the state contradicts itself.
  ///
  /// Tests call it after every step.
  func checkInvariants() {
    observers.checkInvariants(isPinned: pins > 0)
    extras?.dependents.checkInvariants(isPinned: pins > 0)
    checkInvariant(pins >= 0, "more deliveries ended than began")
    checkInvariant(holds >= 0, "more changes went on than were held")
    checkInvariant(
      pins > 0 || extras?.departed.isEmpty ?? true, "detached observers are kept without a delivery"
    )
    checkInvariant(isObserved || demands.union.isEmpty, "a demand outlived its observers")
    checkInvariant(
      !hasDependents || demands.union.contains(.phases),
      "a plain assignment would not notify dependents")
  }
}
