internal import Synchronization

/// An observation of a value that is reached along a key path.
@usableFromInline
final class KeyPathObservation: DerivedValue {
  /// The observer's handler, owned.
  let handler: AnyHandler
  let options: KeyValueObservation.Options
  let operations: Operations
  private let storedCompletion: ObservationCompletion?
  let origin: KeyPathOrigin
  /// The address of the plan, or 0 until it is known; retained if this observation has found it.
  private let planWord: Atomic<UInt>
  /// The keys that the path has read, in place of a plan, once that was searched for in vain.
  ///
  /// Used by the one thread that evaluates.
  private var opaque: OpaqueKeyPath?

  init(
    of subject: borrowing AnyObject, along origin: consuming KeyPathOrigin,
    calling handler: AnyHandler, options: KeyValueObservation.Options,
    operations: consuming Operations, completion: consuming ObservationCompletion?
  ) {
    self.handler = handler
    self.options = options
    self.operations = operations
    planWord = Atomic(UInt(bitPattern: origin.plan?.toOpaque()))
    self.origin = consume origin
    storedCompletion = completion
    super.init(of: subject)
  }

  deinit {
    handler.release()
    if origin.plan == nil { plan?.release() }
  }

  // MARK: Evaluating

  var plan: Unmanaged<KeyPathPlan>? {
    UnsafeRawPointer(bitPattern: planWord.load(ordering: .acquiring)).map(Unmanaged.fromOpaque)
  }

  override var linkNeeds: ObserverNeeds {
    options.contains(.prior) ? [.phases, .prior] : [.phases]
  }
  override var leafNeeds: ObserverNeeds { ObserverNeeds(options).union(.root) }

  override func compute(_ subject: AnyObject, in _: consuming AnyValueBox? = nil) -> AnyValueBox? {
    switch origin {
    case .typed(let keyPath, _, _): operations.compute(subject, keyPath)
    case .string(let plan): plan.value(from: subject)
    }
  }

  override func currentValue(
    of subject: AnyObject, in _: consuming AnyValueBox? = nil
  ) -> AnyValueBox? {
    Computation.run(of: self) {
      plan.map { $0._withUnsafeGuaranteedRef { $0.value(from: subject) } } ?? compute(subject)
    }
  }

  override func computeAndAttach(
    to subject: AnyObject, _ links: inout MetLinks, in _: consuming AnyValueBox?,
    isValueUsed: Bool
  ) -> AnyValueBox? {
    if let plan = plan ?? (opaque == nil ? findPlan(from: subject) : nil) {
      return KeyPathWalker.walk(
        along: plan, from: subject, for: self, &links, isValueUsed: isValueUsed)
    }
    let value = ReadRecorder.evaluate(self, of: subject, &links, in: nil)
    // Behind an intermediate object that was nil there are keys that may show what the path is made of.
    guard opaque?.takeIn(links.links[..<links.count]) == true, findPlan(from: subject) != nil
    else { return value }
    // At once, while no observer has been attached behind the links to the keys that were read (P10).
    let dropped = links.beginAgain()
    defer { for link in dropped { link.detach() } }
    return computeAndAttach(to: subject, &links, in: nil, isValueUsed: isValueUsed)
  }

  /// Searches for the keys that the path is made of.
  private func findPlan(from subject: AnyObject) -> Unmanaged<KeyPathPlan>? {
    guard case .typed(let keyPath, let root, _) = origin else { return nil }
    let found = Computation.run(of: self) {
      KeyPathDecomposer.plan(of: keyPath, from: root) { _ = compute(subject) }
    }
    guard let plan = found.map(Unmanaged.passRetained) else {
      if opaque == nil { opaque = OpaqueKeyPath(keyPath, root: root) }
      return nil
    }
    planWord.store(UInt(bitPattern: plan.toOpaque()), ordering: .releasing)
    return plan
  }

  override func willRead(_ observedKey: ObservedKey, in table: PropertyTable, at position: Int) {
    opaque?.note(observedKey, in: table, at: position)
  }

  /// Its keys, as far as they are known.
  override var text: String { plan?._withUnsafeGuaranteedRef { $0.text } ?? origin.text }

  // MARK: Delivering

  override func captureOldValue(of change: DerivedChange, at link: Link) {
    change.reason = link.isIntermediate ? .pathChanged : .valueChanged
    if let captured = change.captured {
      change.old = captured.old
    } else if options.contains(.old), !change.isWithoutOldValue {
      change.old =
        computedValue(before: change, at: link)
        ?? change.value { valueBeforeDeallocation ?? readFormerValue(of: $0) }
    }
  }

  override func valueBeforePair(
    completedBy delivery: UnsafeMutablePointer<Delivery>, at link: Link
  ) -> ManualPair.CapturedChange? {
    guard link.role == .value, delivery.isOfTransaction, let old = delivery.pointee.old else {
      return nil
    }
    return .init(old: value(at: old, as: link.leaf), observers: nil)
  }

  /// The former value of the computed key at the end of the path, with whose change another one has begun.
  private func computedValue(before change: DerivedChange, at link: Link) -> AnyValueBox? {
    guard let computed = link.computedChange(change.number, change.priorNumber) else { return nil }
    // One that is registered in a transaction does not start from the value of before.
    if let part = change.part, computed.delivery != part.input { return nil }
    // Without regard to the changes around this one: a path that has come to the key in a mutation block does not
    // start from before the block.
    return value(of: computed.replaced ?? computed.old, at: link)
  }

  /// The value of the path that a value of the last key is.
  private func value(of box: AnyValueBox?, at link: Link) -> AnyValueBox? {
    if case .same = link.leaf { return box }
    return withAddress(in: box) { $0.flatMap { value(at: $0, as: link.leaf) } }
  }

  @inline(__always)
  private func value(at address: UnsafeRawPointer, as leaf: LeafValue) -> AnyValueBox? {
    // Unmanaged, so that setting it releases nothing (row: path of 2 through a weak property).
    var value: Unmanaged<AnyValueBox>?
    leaf.withValues(nil, address) { _, address in
      value = address.map { .passRetained(operations.box($0)) }
    }
    return value?.takeRetainedValue()
  }

  // Out of line, because few changes need it (row: last key set).
  /// The value of the path after a change of the last key that is about to be delivered.
  @inline(never)
  func value(
    after delivery: UnsafeMutablePointer<Delivery>, of leaf: LeafValue, _ subject: AnyObject
  ) -> AnyValueBox? {
    if delivery.pointee.edit == nil, let new = delivery.pointee.new {
      return value(at: new, as: leaf)
    }
    return valueOfLastKey(delivery, subject)
  }

  // Out of line, since the new value is mostly known (row: path through a weak property).
  /// Reads the last key in the object that has changed: the path may lead elsewhere by now.
  @inline(never)
  private func valueOfLastKey(
    _ delivery: UnsafeMutablePointer<Delivery>, _ subject: AnyObject
  ) -> AnyValueBox? {
    guard let plan else { return currentValue(of: subject) }
    let owner = delivery.pointee.subject.takeUnretainedValue()
    return Computation.run(of: self) { plan._withUnsafeGuaranteedRef { $0.value(in: owner) } }
  }

  override func newValue(at link: Link, _ number: UInt64) -> AnyValueBox? {
    // A path that has moved, or is about to, reads another object.
    guard !link.isDetached, let change = lock.withLock({ state.change(number) }),
      // At the end of a transaction it may find that out only when it has been evaluated.
      !change.isMade, change.reason == .valueChanged, change.part == nil
    else { return nil }
    return link.computedChange(number).flatMap { value(of: $0.new, at: link) }
  }

  override func didMake(_ change: DerivedChange, at link: Link) {
    // Another link may have begun the change, or an intermediate object was nil, and only the keys that
    // were read through it since show that it is one.
    change.takeIn(link)
    // Keys that were put back may have changed in another order than that of the prior notification.
    if let reason = change.part?.reasonOfFollowing { change.reason = reason }
    if change.new == nil { readValue(behind: change) { currentValue(of: $0) } }
  }

  // Not found by walking along the path once more, if that can be helped (row: top link replaced).
  /// The value of the path before a change.
  private func readFormerValue(of subject: AnyObject) -> AnyValueBox? {
    guard let plan, plan._withUnsafeGuaranteedRef({ $0.isLong }),
      let owner = lock.withLock({ state.knownLeafOwner })
    else { return currentValue(of: subject) }
    return plan._withUnsafeGuaranteedRef { plan in
      Computation.run(of: self) { plan.value(in: owner) }
    }
  }

  /// The link to the key whose value is that of the path; nil if there is none.
  private var lastLink: Link? { lock.withLock { state.links.first { $0.role != .input } } }

  override func value(before mutation: InPlaceMutation) -> AnyValueBox? {
    guard options.contains(.old),
      let link = lastLink,
      // A thread that evaluates may attach the link to another key, but not one to a computed key.
      let old = link.role == .computedValue
        ? link.observedKey?.value(before: mutation) : mutation.old(of: link.lastKeyIdentity)
    else { return nil }
    return value(of: old, at: link)
  }

  override var requestsPriors: Bool { options.contains(.prior) }
  override var requestsOldValues: Bool { options.contains(.old) }

  override func notifyPrior(
    of change: DerivedChange, at link: Link, in delivery: UnsafeMutablePointer<Delivery>,
    excluding excluded: Set<ObserverIdentity>
  ) {
    guard options.contains(.prior), let subject = change.subject, !hasEnded,
      !excluded.contains(identity)
    else { return }
    // The change that follows has the same kind (`takeEdit`).
    if let edit = delivery.pointee.edit, link.role != .input, change.reason == .valueChanged {
      return link.leaf.withValues(delivery.pointee.old, nil) { old, _ in
        operations.call(
          handler, options, subject, ChangedValues(old: old, edit: edit), .valueChanged, true)
      }
    }
    withAddress(in: change.old) { old in
      operations.call(handler, options, subject, ChangedValues(old: old), change.reason, true)
    }
  }

  override func notifyObservers(of change: DerivedChange) {
    if keepsValue { keepValue(of: change) }
    let isPassedOver =
      change.part?.passesOver(self, receivingPriors: requestsPriors && isReachedByPriors) ?? false
    if isPassedOver, !options.contains(.distinct) { return }
    // Taken out, so that they are not retained once more (row: top link replaced).
    let (hasOld, old, new) = (change.old != nil, change.old.take(), change.new.take())
    guard let subject = change.subject.take(), !hasEnded else { return }
    withAddresses(in: old, new) { old, new in
      ThreadState.current.markingPassedOver(if: isPassedOver) {
        operations.call(
          handler, options, subject,
          ChangedValues(old, new, change.edit, hadNoValue: hasOld && old == nil),
          change.reason, false)
      }
    }
  }

  override func whileDelivering(at position: HandOver, _ body: () -> Void) {
    guard let subject, let observedKey else { return body() }
    observedKey.context.callAlone(
      of: subject, at: .passUnretained(observedKey), index: { self.index }, to: self,
      position: position, body)
  }

  override func leafChanged(
    _ delivery: UnsafeMutablePointer<Delivery>, _ leaf: LeafValue
  ) {
    // A source that sets its key when that becomes observed is read after that.
    if ThreadState.current.pointee.computation != nil, Computation.isRunning(of: self) { return }
    guard let subject else { return }
    let isPrior = delivery.pointee.phase == .prior
    let isInside =
      delivery.pointee.outer != nil || ThreadState.current.pointee.ending_transactions != 0
    if isPrior {
      guard options.contains(.prior) else { return }
    } else if isInside {
      // An older change may still be to be delivered: something is around this delivery, or a transaction delivers
      // its changes one after the other.
      if delivery.isTakenBack, !isReachedByPriors { return }
      if isEarly(delivery) { return deferLeafChange(delivery, leaf) }
    }
    let edit = delivery.pointee.edit
    if !isPrior {
      if keepsValue { exchangeKeptValue(for: value(after: delivery, of: leaf, subject)) }
      if isInside || hasDeferred || ThreadState.current.isRunningBody {
        passOnLeaf(leaf, delivery, subject)
      }
    }
    if let property = leaf.erasedProperty {
      notify(property, delivery, of: subject, isPrior: isPrior)
    } else {
      // Unmanaged, because what a closure captures is retained here (row: last key set).
      let (observation, root) = (Unmanaged.passUnretained(self), Unmanaged.passUnretained(subject))
      leaf.withValues(delivery.pointee.old, delivery.pointee.new) { old, new in
        let values = ChangedValues(old: old, new: new, edit: edit)
        observation._withUnsafeGuaranteedRef { observation in
          root._withUnsafeGuaranteedRef {
            observation.operations.call(
              observation.handler, observation.options, $0, values, .valueChanged, isPrior)
          }
        }
      }
      extendLifetime(subject)
    }
    if !isPrior { deliverDeferred() }
  }

  override func leafChangeWaits(
    _ delivery: UnsafeMutablePointer<Delivery>, _ leaf: LeafValue
  ) {
    if let subject { passOnLeaf(leaf, delivery, subject) }
  }

  override func beginChangeWithBlock() {
    guard requestsOldValues, let link = lastLink, link.role == .value else { return }
    for block in MutationBlock.open {
      guard let key = block.pointee.observedKey?.takeUnretainedValue(),
        link.lastKeyIdentity == key.identity, let old = block.pointee.old,
        let delivery = block.pointee.delivery, key.notifies(link, of: delivery),
        link.isNotified(by: delivery.pointee.snapshot)
      else { continue }
      let number = delivery.pointee.number
      if number == 0 { delivery.pointee.number = ThreadState.makeChangeNumber() }
      if change(of: delivery) != nil { continue }
      delivery.pointee.traits.insert(.receivedInPhases)
      // The old value takes in none of the changes that were made since.
      let change = begin(delivery.pointee.number, at: link) {
        let value = value(of: old, at: link) ?? plan?._withUnsafeGuaranteedRef { $0.none }
        $0.captured = .init(old: value, observers: nil)
      }
      change?.lastChangeInOld = number
    }
  }

  override func changeMissed() {
    if lock.withLock({ state.changes.isEmpty }) { super.changeMissed() }
  }

  override func takeEdit(of delivery: UnsafeMutablePointer<Delivery>, _ link: Link) {
    guard link.role != .input, link.role != .value || delivery.isOfTransaction,
      let change = change(of: delivery),
      change.reason == .valueChanged,
      link.role != .computedValue || isEdit(of: change, delivery, link.leaf)
    else { return }
    if let new = change.new { change.valueBehind = new }
    keepValues(of: delivery, link.leaf, in: change)
  }

  // MARK: Ending

  override var completion: ObservationCompletion? { storedCompletion }

  override func subjectDeallocated() {
    guard !hasEnded else { return }
    markEnded()
    // Before anything is released: code that this runs may cancel the observer (P31).
    completion?.subjectDeallocated()
    detachLinks()
  }
}
