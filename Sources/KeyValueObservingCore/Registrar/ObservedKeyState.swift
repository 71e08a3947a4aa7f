internal import Synchronization

/// The state of one observed key of one object.
///
/// A plain value without a lock; an object's context guards it. Work that must happen outside the
/// lock (releasing observations, calling observers) is returned, never done here.
struct ObservedKeyState: ~Copyable {
  // The wide ones first: the fields of the observed key follow without a gap (row: memory).
  /// The number of snapshots taken.
  var snapshotCount: UInt64 = 0
  /// The state that few observed keys need; nil until it is needed.
  var extras: ObservedKeyExtras?
  private let storedPins = Atomic<Int32>(0)
  private let storedCatchUpCount = Atomic<UInt32>(0)
  /// The observers of the key itself.
  var observers = ObserverList()
  private(set) var needCounts = NeedCounts()

  /// Deliveries that read the observer list at this moment, on all threads.
  ///
  /// It is set with the lock held. Without the lock, a thread finds all of its own.
  var pins: Int32 {
    @inline(__always) get { storedPins.load(ordering: .relaxed) }
    @inline(__always) nonmutating set { storedPins.store(newValue, ordering: .relaxed) }
  }

  /// How many registrations were ever attached that catch up with a change which began before: links, and observers
  /// with `distinct`.
  ///
  /// It is set with the lock held. Without the lock, a thread that has changed the property finds all that have read
  /// it before: they were attached before they read it, and what makes the property safe to use from several threads
  /// orders that and the change.
  private(set) var catchUpCount: UInt32 {
    @inline(__always) get { storedCatchUpCount.load(ordering: .relaxed) }
    @inline(__always) nonmutating set { storedCatchUpCount.store(newValue, ordering: .relaxed) }
  }

  var isObserved: Bool {
    @inline(__always) get { observers.live > 0 || extras != nil && hasDependents }
  }

  private var hasDependents: Bool { dependentCount > 0 }

  private var dependentCount: Int32 { extras?.dependents.live ?? 0 }

  /// Whether the key is one that depends on others, while it is observed.
  var isComputed: Bool {
    extras.map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef { $0.computedKey != nil }
      ?? false
  }

  /// The epoch of the pairs in which observers are registered now.
  var pairEpoch: UInt32 { extras?.pairEpoch ?? 0 }

  /// Whether it matters when an observer was attached: it is notified before or behind others (P10), or a pair has
  /// begun since, of whose completion it is to be notified (P19).
  func hasTurn(_ registration: Registration) -> Bool {
    observers.live > 1
      || extras != nil && pairEpoch > registration.pairEpoch.load(ordering: .relaxed)
  }

  mutating func attach(_ registration: Registration) {
    if registration.comesWithObserver { registration.firstSnapshot = snapshotCount + 1 }
    registration.pairEpoch.store(pairEpoch, ordering: .relaxed)
    let outgrown: OutgrownBuffer?
    switch registration.order {
    case .observer:
      registration.index = observers.count
      outgrown = observers.append(ObserverEntry(registration))
    case .dependent:
      let extras = madeExtras()
      registration.index = extras.dependents.count
      outgrown = extras.dependents.append(ObserverEntry(registration))
    }
    needCounts.add(registration.requestedNeeds)
    if !registration.needs.isDisjoint(with: [.phases, .root, .distinct]) { catchUpCount &+= 1 }
    if let outgrown { outgrew(outgrown, of: registration.order) }
  }

  /// Attaches the closure of a token.
  mutating func attach(
    _ closure: AnyHandler, needing needs: ObserverNeeds, of token: KeyValueObservation
  ) {
    token.index = observers.count
    token.pairEpoch = pairEpoch
    let entry = ObserverEntry(closure, ObserverEntry.Kind(closureNeeding: needs), of: token)
    needCounts.add(needs)
    if let outgrown = observers.append(entry) { outgrew(outgrown, of: .observer) }
  }

  /// Lets a registration ask for more than it has asked for.
  mutating func request(_ needs: ObserverNeeds, for registration: Registration) {
    needCounts.remove(registration.requestedNeeds)
    registration.requestedNeeds = needs
    needCounts.add(needs)
  }

  private mutating func outgrew(_ buffer: OutgrownBuffer, of order: NotificationOrder) {
    if pins == 0 { return buffer.deallocate() }
    let extras = madeExtras()
    extras.isSweepDue = true
    switch order {
    case .observer: extras.outgrown.append(buffer)
    case .dependent: extras.outgrownDependents.append(buffer)
    }
  }

  /// Takes a registration out.
  ///
  /// The observed key keeps the registration as long as a delivery may read its entry.
  mutating func detach(_ registration: Registration) {
    switch registration.order {
    case .observer: observers.remove(registration, isPinned: pins > 0)
    case .dependent: extras!.dependents.remove(registration, isPinned: pins > 0)
    }
    removeNeeds(registration.requestedNeeds)
    if pins > 0 {
      registration.markDetached(after: snapshotCount)
      let extras = madeExtras()
      extras.isSweepDue = true
      extras.ended.append(registration)
    }
  }

  /// Detaches the closure at an index, which is not called any more.
  ///
  /// Returns it, to be released outside the lock, unless a delivery may read its entry: then the end of the last one
  /// returns it.
  mutating func detachClosure(at index: Int32) -> AnyHandler? {
    let needs = observers.buffer![Int(index)].kind.needs
    if pins > 0 {
      let extras = madeExtras()
      extras.isSweepDue = true
      // A delivery may read a buffer from before the observer list grew, or was compacted.
      for buffer in extras.outgrown { buffer.clear(index) }
      extras.retired?.observers.clear(index)
    }
    let closure = observers.removeClosure(at: index, isPinned: pins > 0)
    removeNeeds(needs)
    return closure
  }

  /// Removes the needs of an observer that was detached.
  @inline(__always)
  private mutating func removeNeeds(_ needs: ObserverNeeds) {
    if !isObserved { return needCounts = NeedCounts() }
    needCounts.remove(needs)
    // Observers are detached one by one, so that no number is passed over.
    if observers.live + dependentCount == NeedCounts.recountedCount { countNeedsAgain() }
  }

  /// Counts the needs again where more than can be counted may have been registered.
  @inline(never)
  private mutating func countNeedsAgain() {
    if needCounts.isFull { needCounts = countedNeeds() }
  }

  /// The needs of the observers and dependents that are attached.
  private func countedNeeds() -> NeedCounts {
    var counts = NeedCounts()
    observers.addNeeds(to: &counts)
    extras?.dependents.addNeeds(to: &counts)
    return counts
  }

  /// Removes all, because the object is gone, and returns them in order.
  mutating func detachAll() -> [DetachedObserver] {
    needCounts = NeedCounts()
    let attached = observers.removeAll()
    guard let extras else { return attached }
    return attached + extras.dependents.removeAll()
  }

  /// Removes the parts that work only while the key is observed, and pairs without observers.
  ///
  /// - `isTracked`: Whether the object in a weak property is watched all the same.
  func takeIdleParts(isTracked: Bool = false) -> IdleParts? {
    guard let extras else { return nil }
    let pairs = exchange(&extras.manualPairs, with: [])
    extras.silentClasses = []
    // While a change is being delivered, what computes the key is still needed.
    let computedKey = pins > 0 ? nil : extras.computedKey.take()
    let targets = isTracked ? [] : extras.targets.take { _ in true }
    if computedKey == nil, targets.isEmpty, pairs.isEmpty, extras.observance == nil { return nil }
    let parts = IdleParts()
    (parts.manualPairs, parts.computedKey) = (pairs, computedKey)
    (parts.targets, parts.observance) = (targets, extras.observance)
    return parts
  }

  /// Removes the registration that computes the key for its observers, where they have ended and only
  /// dependents are left.
  ///
  /// While a change of the key is being made or delivered, a path that has moved may come back.
  func takeIdleComputation() -> IdleParts? {
    guard pins == 0, observers.live == 0, let computedKey = extras?.computedKey else { return nil }
    extras?.computedKey = nil
    let parts = IdleParts()
    parts.computedKey = computedKey
    return parts
  }

  /// Begins a pair, and lets observers that are registered from now on be distinguished from those that are
  /// registered.
  ///
  /// Returns the epoch of the latter.
  ///
  /// The number of an epoch takes three bytes of each token. After 16 million pairs of the key it is counted
  /// anew, as soon as no pair of the key is open. Until then, and where a pair of another key has kept the
  /// number of a computed key, a pair notifies observers as well that were registered after it began.
  mutating func beginEpoch() -> UInt32 {
    let extras = madeExtras()
    if extras.pairEpoch == KeyValueObservation.greatestPairEpoch, extras.manualPairs.isEmpty {
      extras.pairEpoch = 0
      observers.forgetEpochs()
      extras.dependents.forgetEpochs()
    }
    let epoch = extras.pairEpoch
    if epoch < KeyValueObservation.greatestPairEpoch { extras.pairEpoch += 1 }
    return epoch
  }

  /// Notes that a weak property holds an object whose deallocation cannot be watched.
  ///
  /// Returns false if it has held one of the class since the key is observed.
  mutating func note(silent type: AnyClass) -> Bool {
    madeExtras().silentClasses.insert(ObjectIdentifier(type)).inserted
  }

  mutating func madeExtras() -> ObservedKeyExtras {
    if let extras { return extras }
    let made = ObservedKeyExtras()
    extras = made
    return made
  }

  /// Traps where the state contradicts itself.
  ///
  /// Tests call it after every step.
  mutating func checkInvariants() {
    observers.checkInvariants(isPinned: pins > 0)
    extras?.dependents.checkInvariants(isPinned: pins > 0)
    checkInvariant(pins >= 0, "more deliveries ended than began")
    checkInvariant(
      pins > 0 || extras?.ended.isEmpty ?? true, "detached observers are kept without a delivery"
    )
    let retiredPins = extras?.retired?.pins ?? 0
    checkInvariant(
      extras?.retired == nil || retiredPins > 0 && retiredPins <= pins,
      "\(retiredPins) of \(pins) deliveries read entries from before a compaction")
    checkInvariant(
      extras?.indexKeeperCount ?? 0 >= 0, "more transactions forgot indexes than remembered any")
    checkInvariant(isObserved || needCounts.union.isEmpty, "needs outlived their observers")
    let counted = countedNeeds().union
    checkInvariant(
      needCounts.union.isSuperset(of: counted)
        && (needCounts.isFull || needCounts.union == counted),
      "changes prepare for \(needCounts.union.rawValue), and observers need \(counted.rawValue)")
    checkInvariant(
      !hasDependents || needCounts.union.contains(.phases),
      "a plain assignment would not notify dependents")
  }
}
