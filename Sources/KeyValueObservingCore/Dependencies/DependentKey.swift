internal import Synchronization

/// Computes a key that depends on others, while it is observed, for all its observers together.
///
/// A change of an input becomes a change of the key, delivered through the key's own slot like the
/// change of a stored property. So its getter runs once for each change, for any number of
/// observers (P15), and its dependents are notified once (P22).
final class DependentKey: Expression {
  let ownSlot: Slot
  let property: KeyValueProperty
  let dependencies: Set<String>
  /// Whether an observer of the key asks for prior notifications, or one did that has ended.
  private let asksForPriors = Atomic<Bool>(false)
  /// Whether a manual notification of the key was seen, or it was reported that one is missing.
  let isNotifiedManually = Atomic<Bool>(false)
  /// The value that was compared last, where no change of an input shows that it is another one.
  ///
  /// Guarded by `lock`.
  @exclusivity(unchecked)
  var lastSeenValue: AnyValueBox?

  init(_ property: KeyValueProperty, in slot: Slot, of subject: some KeyValueObservable) {
    ownSlot = slot
    self.property = property
    dependencies = PropertyTable.of(type(of: subject)).dependencies(of: property.name) ?? []
    super.init(of: subject)
  }

  override var linkDemand: Demand { [.phases, .prior] }

  override var isShared: Bool { true }
  override var parts: Parts { .none }

  override func compute(_ subject: AnyObject) -> AnyValueBox? {
    let value = Recording.pauseUnless(property.kind == .computed) { property.box(of: subject) }
    if !dependencies.isEmpty, let recording = Recording.current,
      let subject = observableObject(subject)
    {
      recording.follow(dependencies, from: subject, slot: ownSlot)
    }
    return value
  }

  override func placement(
    of slot: Slot, in table: PropertyTable, at position: Int
  ) -> Placement {
    Placement(rank: .dependent)
  }

  override func begin(_ change: ExpressionChange, at link: Link, _ subject: AnyObject) {
    // Without a delivery the steps that follow do nothing: an open scope of the key delivers one change
    // for all. Whether the key notifies automatically concerns its setter only (P20).
    if ownSlot.isScoped { return }
    // An overriding property reads the overridden one, whose setter notifies the same observers.
    if link.slot === ownSlot { return }
    let delivery = change.delivery ?? pin(change, subject)
    delivery.pointee.change = change.number
    if delivery.pointee.round.demand.contains(.old), !change.isZeroing {
      change.old = formerValue(of: subject) { currentValue(of: $0) }
    }
    delivery.run(.will)
  }

  private func pin(_ change: ExpressionChange, _ subject: AnyObject)
    -> UnsafeMutablePointer<Delivery>
  {
    // Not the dependents: a dependent of this key depends on its inputs, and is notified by them.
    var round = ownSlot.context.lock.withLock { ownSlot.state.pin() }
    // The slot may begin to deliver until this change is delivered.
    round.mayBeNested = true
    let delivery = change.beginDelivery(
      Delivery(of: subject, at: .passUnretained(ownSlot), round))
    delivery.pointee.isZeroing = change.isZeroing
    return delivery
  }

  override func deliverPrior(_ change: ExpressionChange) {
    guard let delivery = change.delivery, delivery.demands(.prior) else { return }
    var next: Int32? = 0
    while let first = next {
      // If a callback changes the key, the value that it receives becomes the old one (P11).
      let old = lock.withLock { change.old }
      withAddress(of: old) { old in
        delivery.pointee.old = old
        next = delivery.callPriors(from: first)
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

  override func evaluate(of subject: AnyObject, known: [Link]) -> Evaluation {
    let evaluation = super.evaluate(of: subject, known: known)
    if asksForPriors.load(ordering: .relaxed) {
      for link in evaluation.links ?? known { link.requestPriors() }
    }
    return evaluation
  }

  override func settle(_ change: ExpressionChange, at link: Link) {
    change.delivery?.run(.settle)
  }

  override func deliver(_ change: ExpressionChange) {
    guard let delivery = change.delivery else { return }
    if keepsValue { keepValue(of: change) }
    delivery.deliverInTurn(change.old, change.new)
    change.endDelivery()
  }

  override func drop(_ change: ExpressionChange) {
    guard let delivery = change.delivery else { return }
    delivery.run(.abandon)
    delivery.end()
    change.endDelivery()
  }

  override func didHold(_ change: ExpressionChange) { change.delivery?.hold() }

  override func didResume(_ change: ExpressionChange) { change.delivery?.resume() }

  override func dropHeld(_ change: ExpressionChange) {
    guard let delivery = change.delivery else { return }
    guard hasEnded else {
      delivery.resume()
      return drop(change)
    }
    // There are no observers to notify, and the object may be being deallocated.
    ownSlot.context.lock.withLock { ownSlot.state.endHold() }
    change.endDelivery()
  }

  override func reportNotSettling(because observers: [ObserverIdentity]) {
    KeyValueDiagnostics.report(
      .nonConvergence(type: subject.map { type(of: $0) } ?? AnyObject.self, key: property.key)
        .caused(by: observers))
  }
}

extension Slot {
  /// Lets the computed key, if the slot has one, ask its inputs for prior notifications.
  func requestPriors() {
    context.lock.withLock { state.extras?.dependentKey }?.requestPriors()
  }
}

extension KeyValueProperty {
  /// Whether changes of other keys are changes of this one.
  func dependsOnOthers(in subject: some KeyValueObservable) -> Bool {
    kind == .computed
      || PropertyTable.of(type(of: subject)).dependencies(of: name) != nil
  }
}
