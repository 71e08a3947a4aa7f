/// Everything that is known of one observed key of one object.
///
/// A plain value without a lock, an object's context guards it. What must happen outside the lock
/// (releasing observations, calling observers) is returned, never done here.
struct SlotState: ~Copyable {
  /// The observers of the key itself.
  private(set) var observers = Audience()
  /// Deliveries that read the audience at this moment, on all threads.
  private(set) var pins: Int32 = 0
  /// Rounds that have begun.
  private var roundCount: UInt64 = 0
  private var demands = DemandCounts()
  /// How many expressions were ever attached.
  private(set) var expressionCount: UInt32 = 0
  /// What few slots have; nil until it is needed.
  var extras: SlotExtras?

  var isObserved: Bool {
    @inline(__always) get { observers.live > 0 || extras != nil && hasDependents }
  }

  private var hasDependents: Bool { extras?.dependents.live ?? 0 > 0 }

  mutating func attach(_ attachment: Attachment) {
    if attachment.isRegistration { attachment.firstRound = roundCount + 1 }
    let outgrown: Audience.Buffer?
    switch attachment.rank {
    case .observer: outgrown = observers.append(attachment)
    case .dependent: outgrown = madeExtras().dependents.append(attachment)
    }
    demands.add(attachment.demand)
    if attachment.demand.contains(.phases) { expressionCount &+= 1 }
    guard let outgrown else { return }
    if pins > 0 {
      madeExtras().outgrown.append(outgrown)
    } else {
      outgrown.deallocate()
    }
  }

  /// Takes an attachment out. While a delivery reads the audience, the slot keeps the attachment
  /// until the last delivery is done.
  mutating func detach(_ attachment: Attachment) {
    demands.remove(attachment.demand)
    switch attachment.rank {
    case .observer: observers.remove(attachment, isPinned: pins > 0)
    case .dependent: extras!.dependents.remove(attachment, isPinned: pins > 0)
    }
    if pins > 0 {
      attachment.leave(after: roundCount)
      madeExtras().departed.append(attachment)
    }
  }

  /// Forgets everybody, because the object is gone, and returns them in order.
  mutating func detachAll() -> [Attachment] {
    demands = DemandCounts()
    let attachments = observers.removeAll()
    guard let extras else { return attachments }
    return attachments + extras.dependents.removeAll()
  }

  /// Fixes the audience of a change that begins now.
  @inline(__always)
  mutating func pin(_ round: inout Round) {
    pins += 1
    roundCount += 1
    round.number = roundCount
    round.observers = observers.buffer
    round.observerCount = observers.count
    round.demand = demands.union
    round.expressionCount = expressionCount
    if extras != nil { pinDependents(&round) }
  }

  /// Takes those into the audience of a change that is about to be made who have come since the
  /// change began to be prepared. Returns those who have gone since then, whom it will not call.
  func extend(_ round: inout Round) -> [Attachment] {
    round.isExtended = true
    round.observers = observers.buffer
    round.observerCount = observers.count
    round.demand = demands.union
    pinDependents(&round)
    return extras?.departed.filter { $0.leave(before: round.number) } ?? []
  }

  private func pinDependents(_ round: inout Round) {
    guard let extras else { return }
    round.dependents = extras.dependents.buffer
    round.dependentCount = extras.dependents.count
  }

  /// Ends what `pin(_:)` began. Returns what the caller must release outside the lock.
  @inline(__always)
  mutating func unpin() -> [Attachment]? {
    pins -= 1
    return extras == nil ? nil : sweep()
  }

  private mutating func sweep() -> [Attachment]? {
    guard pins == 0, let extras, !extras.departed.isEmpty || !extras.outgrown.isEmpty else {
      return nil
    }
    observers.sweep()
    extras.dependents.sweep()
    for buffer in extras.outgrown { buffer.deallocate() }
    extras.outgrown = []
    let departed = extras.departed
    extras.departed = []
    return departed
  }

  /// The expressions that came after the audience of `round` was fixed. They may have read what
  /// the change has replaced meanwhile.
  @inline(__always)
  func latecomers(to round: Round) -> [Expression]? {
    expressionCount == round.expressionCount ? nil : foundLatecomers(to: round)
  }

  private func foundLatecomers(to round: Round) -> [Expression] {
    let isExtended = round.isExtended
    let observers = observers.attachments(from: isExtended ? 0 : round.observerCount)
    let dependents =
      extras?.dependents.attachments(from: isExtended ? 0 : round.dependentCount) ?? []
    return (observers + dependents).compactMap { ($0 as? Link)?.expression }
  }

  mutating func setDependentKey(_ dependentKey: DependentKey) {
    madeExtras().dependentKey = dependentKey
  }

  mutating func setDeathWatch(_ watch: DeathWatch?) {
    madeExtras().deathWatch = watch
  }

  mutating func madeExtras() -> SlotExtras {
    if let extras { return extras }
    let made = SlotExtras()
    extras = made
    return made
  }

  /// Traps where the state contradicts itself. Tests call it after every step.
  func checkInvariants() {
    observers.checkInvariants(isPinned: pins > 0)
    extras?.dependents.checkInvariants(isPinned: pins > 0)
    precondition(pins >= 0, "more deliveries ended than began")
    precondition(
      pins > 0 || extras?.departed.isEmpty ?? true, "the departed are kept, but nobody delivers")
    precondition(isObserved || demands.union.isEmpty, "a demand outlived its observers")
  }
}

/// The audience of one change: fixed when the change begins (P13).
@usableFromInline
struct Round {
  // Ordered so that there is no gap between the fields: Swift copies gaps, which stalls a set.
  @usableFromInline
  var observers: Audience.Buffer?
  @usableFromInline
  var dependents: Audience.Buffer?
  /// Counts the rounds of the slot.
  @usableFromInline
  var number: UInt64 = 0
  @usableFromInline
  var observerCount: Int32 = 0
  @usableFromInline
  var dependentCount: Int32 = 0
  /// How many expressions had been attached to the slot until then.
  @usableFromInline
  var expressionCount: UInt32 = 0
  @usableFromInline
  var demand: Demand = Demand(rawValue: 0)
  /// Whether it was extended by those who came while the change was prepared.
  @usableFromInline
  var isExtended = false

  @inlinable
  init() {}

  var count: Int32 { observerCount + dependentCount }
}

/// What only slots with dependents, a weak property, or observers that end during deliveries have.
///
/// Guarded like the state that keeps it, so that checking for exclusive access would only cost.
final class SlotExtras {
  @exclusivity(unchecked)
  var dependents = Audience()
  /// Those who were detached while a delivery read the audience.
  @exclusivity(unchecked)
  var departed: [Attachment] = []
  @exclusivity(unchecked)
  var outgrown: [Audience.Buffer] = []
  /// Computes the key, if it is one that depends on others, while it is observed.
  var dependentKey: DependentKey?
  /// Watches the object in the property, if it is a weak one, while it is observed.
  var deathWatch: DeathWatch?

  /// Takes out what works only while the slot is observed.
  func takeIdleParts() -> IdleParts? {
    if dependentKey == nil, deathWatch == nil { return nil }
    let parts = IdleParts(dependentKey: dependentKey, deathWatch: deathWatch)
    dependentKey = nil
    deathWatch = nil
    return parts
  }
}

/// What a slot no longer needs once nobody observes it. End it outside the lock.
struct IdleParts {
  let dependentKey: DependentKey?
  let deathWatch: DeathWatch?

  func end() {
    dependentKey?.end()
    deathWatch?.end()
  }
}

/// How many attachments ask for what.
private struct DemandCounts {
  private(set) var union: Demand = []
  private var old: Int32 = 0
  private var new: Int32 = 0
  private var prior: Int32 = 0
  private var phases: Int32 = 0
  private var root: Int32 = 0

  @inline(__always)
  mutating func add(_ demand: Demand) {
    count(demand, by: 1)
    union.formUnion(demand)
  }

  @inline(__always)
  mutating func remove(_ demand: Demand) {
    count(demand, by: -1)
    union = []
    if old > 0 { union.insert(.old) }
    if new > 0 { union.insert(.new) }
    if prior > 0 { union.insert(.prior) }
    if phases > 0 { union.insert(.phases) }
    if root > 0 { union.insert(.root) }
  }

  @inline(__always)
  private mutating func count(_ demand: Demand, by step: Int32) {
    old += demand.contains(.old) ? step : 0
    new += demand.contains(.new) ? step : 0
    prior += demand.contains(.prior) ? step : 0
    phases += demand.contains(.phases) ? step : 0
    root += demand.contains(.root) ? step : 0
  }
}
