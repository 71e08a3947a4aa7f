internal import CKeyValueObserving

/// The one change that observers of a key receive at the end of a transaction.
final class PendingChange {
  /// Its delivery, in memory that further changes use again.
  let delivery: UnsafeMutablePointer<Delivery>
  /// The value that the observers start from, and the one that they receive.
  @exclusivity(unchecked)
  private(set) var old: AnyValueBox?
  /// The source of the old value, if that is requested and was not found yet.
  @exclusivity(unchecked)
  private var awaitedOld: OldValueSource?
  @exclusivity(unchecked)
  private(set) var new: AnyValueBox?
  @exclusivity(unchecked)
  private var usedBoxes = UsedBoxes()
  /// The changes of a collection.
  @exclusivity(unchecked)
  var edits = PendingEdits()
  /// The edit of the collection that is delivered, if there is one.
  @exclusivity(unchecked)
  private var edit: Edit?
  /// How the observers receive the change.
  @exclusivity(unchecked)
  private var route = Route.own
  /// Whether edits of the collection have cancelled out.
  @exclusivity(unchecked)
  private var cancelsOut = false
  /// Its position in the order of the transaction's steps.
  @exclusivity(unchecked)
  private(set) var step = 0
  /// The transactions in which the key has changed, the outermost first.
  @exclusivity(unchecked)
  var marks = ChangeMarks()
  /// Its last change among the steps of the transaction.
  @exclusivity(unchecked)
  var lastStep = 0
  /// Whether its observers are prepared for a change: not by a setter that does not notify them (P20).
  @exclusivity(unchecked)
  private(set) var isPrepared = false
  /// Whether all changes have been taken back, after prior notifications.
  @exclusivity(unchecked)
  var wasTakenBack = false
  /// The observers in whose names the first change was made, to which no prior notification was sent.
  @exclusivity(unchecked)
  private(set) var observersWithoutPrior: Set<ObserverIdentity> = []
  /// The observers in whose names all changes were made (P57).
  @exclusivity(unchecked)
  var excluded: Set<ObserverIdentity> = []
  /// The histories that leave it out, since they did when it was first made (P58).
  @exclusivity(unchecked)
  var pausedHistories: PausedHistories?
  /// The objects from which paths lead to the key (P14).
  @exclusivity(unchecked)
  private var roots: [AnyObject] = []

  private enum Route {
    /// From this change.
    case own
    /// From the computed key: one of its inputs has changed before the key itself, or the change of the key was taken
    /// back.
    case computedKey
    /// From a delivery of the key that is running around the transaction.
    case running
  }

  init() { delivery = .allocate(capacity: 1) }

  deinit { delivery.deallocate() }

  /// Begins a change whose observers are fixed.
  @inline(__always)
  func begin(
    at observedKey: ObservedKey, of subject: AnyObject, _ snapshot: ObserverSnapshot, step: Int
  ) {
    delivery.initialize(to: Delivery(of: subject, at: .passUnretained(observedKey), snapshot))
    delivery.pointee.traits = .transaction
    self.step = step
  }

  /// Whether computed keys or paths depend on the key, or prior notifications are sent.
  var hasPhases: Bool { delivery.hasDerivedValues || delivery.requires(.prior) }

  /// Whether the key is one that depends on others.
  var isComputed: Bool { delivery.requires(.dependence) }

  /// Whether prior notifications are sent, or were, each of which is followed by a change (P47).
  var isPriorSent: Bool { isPrepared && delivery.requires(.prior) }

  /// The key that it is a change of.
  var key: ObservedKeyIdentity { ObservedKeyIdentity(delivery.pointee.observedKey.toOpaque()) }

  /// Releases what it keeps, so that it can begin another change.
  ///
  /// - `isPlain`: Whether boxes of values can be used again.
  func reset(keepingBoxes isPlain: Bool) {
    if isPlain { usedBoxes.take(&old, &new) }
    (old, new) = (nil, nil)
    if !marks.isEmpty { marks.remove(from: 0) }
    edits = PendingEdits()
    lastStep = 0
    (awaitedOld, isPrepared, wasTakenBack) = (nil, false, false)
    (cancelsOut, route) = (false, .own)
    // Few have these, and to assign them takes longer than to ask.
    if edit != nil { edit = nil }
    if !observersWithoutPrior.isEmpty { observersWithoutPrior = [] }
    if !excluded.isEmpty { excluded = [] }
    if pausedHistories != nil { pausedHistories = nil }
  }

  // MARK: Before the change

  /// Lets observers with `distinct` know the collection that is about to be edited.
  ///
  /// It is another one than they have found, if they were registered in the `willSet` of the property.
  func noteMissedChanges() {
    for registration in delivery.pointee.snapshot.registrations() {
      registration._withUnsafeGuaranteedRef {
        if $0.observation.needs.contains(.distinct) { $0.changeMissed() }
      }
    }
  }

  /// Sends prior notifications, and lets dependents capture their old values.
  ///
  /// - `source`: How the old value is found, which `read` reads.
  /// - `pair`: The pair of manual notifications that the change completes. It has sent prior notifications.
  /// - `sendsPriors`: Whether prior notifications are sent: not to observers that register others without end.
  /// - `key`: The pending key, if such a pair of it is open, which has sent them to the observers that were there.
  func sendPriorsAndCapture(
    number: UInt64, excluding excluded: Set<ObserverIdentity>?, completing pair: ManualPair?,
    sendsPriors: Bool, inPairOf key: Unmanaged<PendingKey>?, _ source: OldValueSource,
    old read: () -> AnyValueBox?
  ) {
    isPrepared = true
    delivery.pointee.number = number
    if let excluded { (self.excluded, observersWithoutPrior) = (excluded, excluded) }
    let isOfComputedKey = computedKey?.outputDelivery(of: number) != nil
    route = isOfComputedKey ? .computedKey : .own
    // The observers start from the value before the change of the input, also if that cancels out.
    let former = isOfComputedKey ? computedKey?.outputValue(before: number) : nil
    switch source {
    case .setter where !isOfComputedKey && !hasPhases,
      .editsInPlace where !isOfComputedKey && !delivery.requires(.prior):
      if delivery.requires(.old) { awaitedOld = source }
    case .edits, .editsInPlace:
      old = former ?? read()
      // Edits of another collection than that which the observers know.
      if former == nil, computedKey?.isOutputUnknown == true { edits.set() }
    case .property, .setter: if delivery.requires(.old) { old = former ?? read() }
    }
    if delivery.hasDerivedValues { roots = delivery.pointee.snapshot.roots }
    if delivery.requires(.prior), sendsPriors, pair == nil {
      // The computed key has sent them to its observers, but not to what has come to depend on it since.
      let counts = key?._withUnsafeGuaranteedRef { $0.countsInPair(of: self) } ?? (0, 0)
      withExclusion {
        delivery.sendPriorsInTransaction(
          from: old, toObservers: !isOfComputedKey, leavingOut: counts)
      }
    }
    if delivery.hasDerivedValues {
      delivery.captureInTransaction(completing: pair, from: old)
    }
    // So that comparing the number of the thread's latest change finds this one.
    _ = ThreadState.makeChangeNumber()
  }

  // MARK: The change

  @inline(__always)
  var isChanged: Bool { !marks.isEmpty }

  /// Whether all its observers receive the change that was made.
  var notifiesAll: Bool {
    isChanged && !isForLateObserversOnly && !cancelsOut && excluded.isEmpty
  }

  var isToDeliver: Bool { !marks.isEmpty && !cancelsOut || isPriorSent }

  /// Reads the new value, if it is requested, or compared with the old one.
  @inline(__always)
  func readNewValue(_ read: (consuming AnyValueBox?) -> AnyValueBox?) {
    if !isToDeliver { return }
    delivery.pointee.handOver = .last
    let isOfCollection = edits.isOfCollection
    if !isOfCollection { deriveOld { read(nil) } }
    if !isOfCollection, !delivery.requires(.new) { return }
    new = read(usedBoxes.new.take())
    if isOfCollection, new != nil { composeEdits() }
  }

  /// Takes the value that a setter has replaced, if that has begun the change.
  @inline(__always)
  func takeOld(_ former: (consuming AnyValueBox?) -> AnyValueBox) {
    if awaitedOld != .setter { return }
    awaitedOld = nil
    old = former(usedBoxes.old.take())
  }

  /// Keeps the value of a collection that is about to be edited, unless its old value is known, or will be.
  func keepOld(_ value: AnyValueBox) {
    if old == nil, !isOldDerived { old = value }
  }

  /// Whether the old value is derived from the new one when it is needed.
  var isOldDerived: Bool { awaitedOld == .editsInPlace }

  /// Derives the old value from the present one, which is about to change in another way than by edits in place,
  /// or is the new one.
  func deriveOld(from read: () -> AnyValueBox?) {
    if !isOldDerived { return }
    awaitedOld = nil
    let present = read()
    old = edits.opposites.flatMap { present?.takingBack($0) } ?? present
  }

  /// Makes one change of what was done to a collection.
  private func composeEdits() {
    notifyOfExchangedMembers()
    let outcome = edits.outcome(to: new, ofComputedKey: isComputed) {
      deriveOld { new }
      return old
    }
    switch outcome {
    case .setting(let edit):
      deriveOld { new }
      take(edit)
    case .nothing: cancelsOut = true
    case .edit(let edit, let old, let new):
      take(edit)
      self.old = delivery.requires(.old) ? old : nil
      self.new = delivery.requires(.new) ? new : nil
    }
  }

  private func take(_ edit: Edit?) {
    self.edit = edit
    delivery.setEdit(edit)
  }

  // MARK: After the transaction

  /// Lets dependents be evaluated, if the key has changed, or if its change has been taken back after prior
  /// notifications of it.
  ///
  /// - `isTakenBack`: Whether the turn is that of keys which have the values from before the transaction.
  func settle(isTakenBack: Bool) {
    let hasNoEffect = marks.isEmpty || cancelsOut
    guard isToDeliver, (hasNoEffect || isForLateObserversOnly) == isTakenBack else { return }
    if hasNoEffect {
      delivery.pointee.traits.insert(.takenBack)
      // Others have received no prior notification that is to be followed (P47).
      excluded = observersWithoutPrior
    }
    if isForLateObserversOnly { delivery.pointee.traits.insert(.lateObserversOnly) }
    withExclusion { delivery.run(.settle, for: .ofLinks) }
  }

  /// Lets dependents forget what they have captured, if observers are not notified.
  func abandonUnlessToDeliver() {
    if isPrepared, !isToDeliver { delivery.run(.abandon, for: .ofLinks) }
  }

  /// Decides whether the observers receive this change, or that of the computed key, where an input has changed as well:
  /// the one that has begun first, and the computed key's if this one was taken back.
  ///
  /// - `isFirst`: Whether its observers were there before the key has changed.
  /// - `areFormerOwn`: Whether the observers before these receive their own change.
  /// - `position`: The position of the first observer that was registered in the transaction.
  ///
  /// Returns whether these receive their own.
  func joinComputedKey(isFirst: Bool, areFormerOwn: Bool, lateFrom position: Int32) -> Bool {
    guard let computedKey else { return areFormerOwn }
    let number = delivery.pointee.number
    guard let output = computedKey.outputDelivery(of: number) else {
      route = .own
      delivery.pointee.snapshot.leaveOut(observersFrom: position)
      return areFormerOwn
    }
    if !isToDeliver { return false }
    let isInEffect = isChanged && !cancelsOut
    if isInEffect, isFirst { excluded = computedKey.joinOutputChange(number, excluding: excluded) }
    if isInEffect, areFormerOwn, route == .own {
      output.pointee.snapshot.leaveOut(observers: delivery.pointee.snapshot.observerCount)
      return true
    }
    route = .computedKey
    return false
  }

  /// Lets observers that receive their change from the computed key, though those before them receive it from this
  /// one, wait for it: handlers may set the key (P11, P48).
  func takeInComputedKey() {
    guard let computedKey else { return }
    delivery.enqueueFirst {
      computedKey.leaveOutputChange(delivery.pointee.number, to: delivery)
    }
  }

  /// Passes on the value of a computed key, and leaves the change to a delivery of the key that is running.
  func leaveToRunning() {
    guard isToDeliver, route == .own else { return }
    if isComputed, !delivery.isTakenBack { delivery.passOnOutput(new) }
    guard let running = delivery.findRunning() else { return }
    route = .running
    running.enqueue(delivery.pointee, old: old, new: new, excluding: excluded)
  }

  /// Computes the key, if it is one that depends on others; the snapshot keeps it.
  private var computedKey: (any KeyComputing)? {
    isComputed ? delivery.pointee.observedKey._withUnsafeGuaranteedRef { $0.anyComputedKey } : nil
  }

  /// Whether something is still to be delivered when the observers have been called, or was left to another delivery.
  var isWaitedFor: Bool { route == .running || delivery.pointee.backlog != nil }

  /// Whether other changes of the key wait for it.
  var isAwaited: Bool { isToDeliver && route == .own }

  /// Calls the observers of the key, around which `first` is running: changes that they make wait for it.
  func callObservers(
    _ thread: UnsafeMutablePointer<kvo_thread_state>, inside first: PendingChange
  ) {
    if first === self { return callObservers(thread) }
    first.delivery.enter(thread)
    callObservers(thread)
    first.delivery.leaveUnended(thread)
  }

  /// Calls the observers of the key.
  func callObservers(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    if route != .own { return }
    delivery.pointee.traits.insert(.observersOnly)
    whileDelivering(thread) { delivery.call([], in: .deliver) }
    delivery.pointee.traits.remove(.observersOnly)
  }

  /// Delivers what waits for it.
  func deliverWaiting(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    if delivery.pointee.backlog == nil { return }
    let own = delivery.pointee
    delivery.enter(thread)
    delivery.deliverWaiting()
    delivery.leaveUnended(thread)
    delivery.pointee.take(changeOf: own)
  }

  /// Notifies computed keys and paths.
  func callDerivedValues(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    if route == .running { return }
    if isToDeliver, delivery.hasDerivedValues {
      whileDelivering(thread) { delivery.run(.deliver, for: .ofLinks) }
    }
    // Also of a key whose observers receive the change from the computed key: getters have set it before.
    deliverWaiting(thread)
  }

  private func withExclusion(_ body: () -> Void) {
    if excluded.isEmpty { return body() }
    ThreadState.current.withExclusion(of: excluded, by: delivery, body)
  }

  @inline(__always)
  private func whileDelivering(
    _ thread: UnsafeMutablePointer<kvo_thread_state>, _ body: () -> Void
  ) {
    withExclusion {
      // Not retained: they stay as they are until the transaction is over (row: transaction of one set).
      (delivery.pointee.old, delivery.pointee.new) = (old?.address, new?.address)
      delivery.enter(thread)
      body()
      delivery.leaveUnended(thread)
      (delivery.pointee.old, delivery.pointee.new) = (nil, nil)
    }
  }

  /// Ends the change.
  func end() {
    if route != .running { delivery.unpinAfterTransaction() }
    if !roots.isEmpty { roots = [] }
  }
}
