internal import Synchronization

/// Computes a key that depends on others, while it is observed, for all its observers together.
///
/// A change of an input becomes a change of the key, delivered through the key's own observers, like the
/// change of a stored property. So its getter runs once for each value, the old and the new one, for any number
/// of observers (P15), and its dependents are notified once (P22).
final class ComputedKey: DerivedValue, KeyComputing {
  let ownKey: ObservedKey
  let property: KeyValueProperty
  let dependencies: [DeclaredKeyPath]
  /// Whether an observer of the key asks for prior notifications, or one did that has ended.
  private let asksForPriors = Atomic<Bool>(false)
  /// Whether an observer of the key asks for old values, or one did that has ended.
  let asksForOldValues = Atomic<Bool>(false)
  /// Whether a manual notification of the key was seen, or it was reported that one is missing.
  let isNotifiedManually = Atomic<Bool>(false)
  /// The value that was compared last, where no change of an input shows that it is another one.
  ///
  /// Guarded by `lock`.
  @exclusivity(unchecked)
  var lastSeenValue: AnyValueBox?
  /// The changes of observers that were registered in a transaction, until they are delivered at its end.
  ///
  /// Guarded by `lock`.
  @exclusivity(unchecked)
  private var lateChanges: [DerivedChange] = []

  init(
    _ property: KeyValueProperty, in observedKey: ObservedKey, of subject: some KeyValueObservable
  ) {
    ownKey = observedKey
    self.property = property
    dependencies = PropertyTable.of(type(of: subject)).dependencies(of: property.name) ?? []
    super.init(of: subject)
    // It is what its inputs call, so it may have been suspended.
    ThreadState.current.forgetFormerObserver(at: identity)
  }

  override var linkNeeds: ObserverNeeds { [.phases, .prior] }

  override var isComputedKey: Bool { true }
  var outputRegistrations: [Registration] {
    // The object keeps the context of the key, and another thread, or a getter, may release it.
    guard let subject else { return [] }
    defer { extendLifetime(subject) }
    return ownKey.context.lock.withLock { ownKey.state.registrations() }
  }

  func outputDelivery(of number: UInt64) -> UnsafeMutablePointer<Delivery>? {
    lock.withLock { state.change(number) }?.delivery
  }

  /// The deliveries of the changes that this thread has begun and not made yet.
  var unmadeDeliveries: [UnsafeMutablePointer<Delivery>] {
    lock.withLock { state.unmade.filter { $0.isUnmade(on: ThreadState.identity) } }
      .compactMap(\.delivery)
  }

  func outputDeliveryToAwait(before number: UInt64) -> UnsafeMutablePointer<Delivery>? {
    lock.withLock {
      if let change = state.lastMade(before: number, on: ThreadState.identity) {
        return change.delivery
      }
      return lateChanges.isEmpty ? nil : lateDelivery(before: number)
    }
  }

  // Out of line, because few keys have any (row: set an input).
  @inline(never)
  private func lateDelivery(before number: UInt64) -> UnsafeMutablePointer<Delivery>? {
    lateChanges.last { $0.number < number && $0.thread == ThreadState.identity }?.delivery
  }

  func outputValue(before number: UInt64) -> AnyValueBox? {
    lock.withLock { state.change(number)?.old }
  }

  func outputValueInsideInput() -> AnyValueBox?? {
    let outer = lock.withLock { state.oldValueInsideUnmade(on: ThreadState.identity) }
    return if let outer { .some(outer.value) } else { valueBeforeDeallocation }
  }

  var isOutputUnknown: Bool {
    lock.withLock { state.hasUnmadeFromUnknown(on: ThreadState.identity) }
  }

  func passOnOutput(_ value: AnyValueBox?) {
    var value = value
    func output() -> AnyValueBox? {
      if value == nil { value = subject.flatMap { currentValue(of: $0) } }
      return value
    }
    let number = ThreadState.current.pointee.last_change
    // The change of the key comes behind the last one that waits, or that one is a part of it.
    let (awaited, isInside) = lock.withLock {
      (state.lastMade(on: ThreadState.identity), state.unmadeCount > 0)
    }
    if let awaited {
      if keepsValue || isInside { awaited.valueBehind = output() }
    } else if keepsValue {
      exchangeKeptValue(for: output())
    }
    passOn(output(), of: number)
  }

  func joinOutputChange(
    _ number: UInt64, excluding others: Set<ObserverIdentity>
  ) -> Set<ObserverIdentity> {
    guard let change = lock.withLock({ state.change(number) }), let part = change.part else {
      return others
    }
    part.add(changeExcluding: others)
    return excluded(from: change)
  }

  func leaveOutputChange(_ number: UInt64, to other: UnsafeMutablePointer<Delivery>) {
    guard let change = lock.withLock({ state.change(number) }), let part = change.part else {
      return
    }
    if let delivery = change.delivery, delivery.pointee.snapshot.observerCount > 0 {
      notifyObservers(of: change, inTransactionBehind: other)
    }
    for observers in part.lateObservers { observers.wait(for: other) }
  }

  override func compute(_ subject: AnyObject, in used: consuming AnyValueBox?) -> AnyValueBox? {
    // A getter computes it, also if the class does not list that it overrides one.
    if dependencies.isEmpty { return property.box(of: subject, in: used) }
    let value =
      property.kind == .computed
      ? property.box(of: subject, in: used)
      : ThreadState.pauseRecording { property.box(of: subject, in: used.take()) }
    if let recorder = ReadRecorder.current, let subject = observableObject(subject) {
      recorder.follow(dependencies, from: subject, observedKey: ownKey)
    }
    return value
  }

  override func computeAndAttach(
    to subject: AnyObject, _ links: inout MetLinks, in used: consuming AnyValueBox?,
    isValueUsed: Bool
  ) -> AnyValueBox? {
    let value = ReadRecorder.evaluate(self, of: subject, &links, in: used)
    if asksForPriors.load(ordering: .relaxed) {
      for link in links.links[..<links.count] { link.requestPriors() }
    }
    return value
  }

  @inline(__always)
  override func fixObservers(of change: DerivedChange, at link: Link) {
    // A change of an input is a part of a change of the key itself, which notifies the same observers, in an open
    // mutation block of the key, or because an overriding property reads the overridden one. Without a delivery the
    // steps that follow do nothing. Whether the key notifies automatically concerns its setter only (P20).
    let isInTransaction =
      change.part != nil || change.isWithoutOldValue && Transaction.unmanagedCurrent != nil
    let isPartOfOwnChange =
      (isInTransaction ? isInBlockAroundTransaction : ownKey.isInMutationBlock)
      || change.part == nil && link.observedKey === ownKey
    if isPartOfOwnChange || change.delivery != nil { return }
    pin(change)
    if isInTransaction { LateObserversOfComputedKey.leaveOut(of: change, at: self) }
  }

  // Out of line, since few changes are made in a transaction (row: set an input).
  /// Whether a mutation block of the key is open that was opened before the transaction.
  ///
  /// A block that was opened in the transaction belongs to it: at the end, observers that receive the change of the
  /// key itself are left out of this one.
  @inline(never)
  private var isInBlockAroundTransaction: Bool {
    ownKey.isInMutationBlock && Transaction.current?.hasPreparedChange(of: ownKey) != true
  }

  override func takeInChangesOfPriors(_ change: DerivedChange) {
    guard let delivery = change.delivery else { return }
    delivery.takeInChangesOfPriors()
    delivery.pointee.snapshot.leaveOutDependents()
  }

  override func captureOldValue(of change: DerivedChange, at link: Link) {
    // Without prior notifications they are not fixed yet.
    fixObservers(of: change, at: link)
    guard let delivery = change.delivery else { return }
    if let captured = change.captured {
      change.old = captured.old
    } else if delivery.requires(.old), !change.isWithoutOldValue {
      change.old =
        (change.part == nil ? nil : ownValueBeforeTransaction)
        ?? change.value {
          valueBeforeDeallocation ?? currentValue(of: $0, in: change.usedBoxes.old.take())
        }
    }
  }

  // Out of line, since few changes are made in a transaction (row: set an input).
  /// The value from before the transaction, if that has changed the key itself.
  @inline(never)
  private var ownValueBeforeTransaction: AnyValueBox? {
    Transaction.current?.pendingKey(at: ownKey)?.first.old
  }

  override func take(part link: Link, in change: DerivedChange) {
    // A change of the overridden property itself has begun it, and may have been taken back.
    guard change.delivery == nil else { return }
    if InPlaceMutation.outermost(readBy: self) != nil { change.traits.insert(.withoutOldValue) }
    captureOldValue(of: change, at: link)
    didCapture(change, for: nil)
  }

  override func didCapture(_ change: DerivedChange, for pair: Unmanaged<ManualPair>?) {
    guard let delivery = change.delivery else { return }
    delivery.pointee.number = change.number
    delivery.pointee.pair = pair
    // A prior handler that the same delivery is calling may have changed another input in a transaction.
    let cursor = delivery.pointee.cursor
    delivery.run(.capture)
    delivery.pointee.cursor = cursor
    delivery.pointee.pair = nil
  }

  override func didRenumber(_ change: DerivedChange) {
    guard let delivery = change.delivery else { return }
    delivery.run(.renumber)
    delivery.pointee.number = change.number
  }

  func pin(_ change: DerivedChange) {
    // Without the dependents: a dependent of this key depends on its inputs, and is notified by them.
    let paired = change.captured?.observers
    var snapshot = ownKey.unmanagedContext._withUnsafeGuaranteedRef {
      $0.lock.withLock {
        if let paired { return ownKey.state.pin(paired) }
        return ownKey.state.pin(beginsPair: change.isOfPair)
      }
    }
    // The observed key may begin to deliver until this change is delivered.
    snapshot.needs.insert(.turn)
    change.beginDelivery(at: .passUnretained(ownKey), snapshot)
  }

  override var requestsPriors: Bool { asksForPriors.load(ordering: .relaxed) }
  override var requestsOldValues: Bool { asksForOldValues.load(ordering: .relaxed) }

  override func notifyPrior(
    of change: DerivedChange, at link: Link, in _: UnsafeMutablePointer<Delivery>,
    excluding excluded: Set<ObserverIdentity>
  ) {
    guard let delivery = change.delivery, delivery.requires(.prior) else { return }
    // As `sendPriors` does for the input (P14).
    delivery.keepRoots()
    var next: Int32? = change.part == nil ? 0 : ownKey.observerCountWithPriors(of: change.subject)
    while let first = next {
      // If a callback changes the key, the value that it receives becomes the old one (P11).
      captureAgain(change, at: link, takesInObservers: false)
      withAddress(in: change.old) { old in
        delivery.pointee.old = old
        ThreadState.current.withExclusion(of: excluded, by: delivery) {
          delivery.call(.prior, in: .prior, from: first)
        }
        next = delivery.nextAfterPriors
      }
    }
    delivery.pointee.old = nil
  }

  // MARK: Observers of prior notifications

  /// From now on links ask for prior notifications of the inputs.
  ///
  /// Call it where an observer of the key asks for them, before it is registered to the end.
  func requestPriors() {
    asksForPriors.store(true, ordering: .relaxed)
    for link in lock.withLock({ state.linksToChange() }) { link.requestPriors() }
  }

  override func didMake(_ change: DerivedChange, at link: Link) {
    guard let delivery = change.delivery else { return }
    // Not later, when it is delivered: it may have to wait until then.
    delivery.pointee.noteMade()
    if change.part == nil {
      delivery.dropDetached(since: change.capturedAfter)
    } else {
      // They are notified of what they were attached to at the beginning of the transaction.
      change.noteIfTakenBack()
    }
    delivery.run(.settle)
    // Paths may have come to the key in prior notifications, or in a mutation block of the input.
    delivery.catchUp()
  }

  override func didCatchUp() {
    // Dependents are attached to the inputs as well, and may depend on each other in a ring.
    for registration in outputRegistrations
    where registration.order == .observer && registration.observation !== self {
      registration.link?.catchUp()
    }
  }

  override func notifyObservers(of change: DerivedChange) {
    if keepsValue { keepValue(of: change) }
    if change.part != nil { return notifyObservers(of: change, inTransactionBehind: nil) }
    guard let delivery = change.delivery else { return }
    // Taken out, since reading them would retain them once more (row: set an input).
    var (old, new) = (change.old.take(), change.new.take())
    delivery.deliverOrEnqueue(old, new)
    if property.holdsPlainValues { change.usedBoxes.take(&old, &new) }
    change.delivery = nil
  }

  /// The same at the end of a transaction, for observers that were registered in it as well.
  ///
  /// - `other`: Another change of the key, which is about to be delivered and for which this one waits, if there is
  ///   one.
  @inline(never)
  func notifyObservers(
    of change: DerivedChange, inTransactionBehind other: UnsafeMutablePointer<Delivery>?
  ) {
    guard let part = change.part, let delivery = change.delivery else { return }
    change.noteIfTakenBack()
    // They follow the others, whose callbacks may change the key (P11), and may have been left to those.
    if other == nil, !part.lateObservers.isEmpty {
      delivery.enqueueFirst {
        for observers in part.lateObservers { observers.wait(for: delivery) }
      }
    }
    delivery.deliverOrEnqueue(
      change.old.take(), change.new.take(), excluding: excluded(from: change), behind: other)
    change.delivery = nil
  }

  /// The observers that a change in a transaction passes over (P57).
  private func excluded(from change: DerivedChange) -> Set<ObserverIdentity> {
    guard let part = change.part, let delivery = change.delivery else { return [] }
    return part.excluded { delivery.receivesPriors($0) }
  }

  /// Notes a change of observers that were registered in a transaction, for which others of the key wait.
  func addLate(_ change: DerivedChange) { lock.withLock { lateChanges.append(change) } }

  func removeLate(_ change: DerivedChange) {
    lock.withLock { lateChanges.removeAll { $0 === change } }
  }

  override func drop(_ change: DerivedChange) {
    guard let delivery = change.delivery else { return }
    delivery.run(.abandon)
    delivery.end()
    delivery.abandonWaiting()
    change.delivery = nil
  }

  override func valuesToHandOver(
    of change: DerivedChange, to pair: Unmanaged<ManualPair>
  ) -> ManualPair.CapturedChange? {
    guard let delivery = change.delivery else { return nil }
    // Paths to the key hand over what they have captured as well (`drop`).
    delivery.pointee.pair = pair
    return .init(
      old: lock.withLock { change.old }, observers: PairObservers(delivery.pointee.snapshot))
  }

  override var text: String { property.key }
}

extension ObservedKey {
  /// Computes the key, if it is one that depends on others.
  var computedKey: ComputedKey? { withLock { state.computedKey } }
}
