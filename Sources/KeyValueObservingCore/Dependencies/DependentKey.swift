/// Computes a key that depends on others, while it is observed, for all its observers together.
///
/// A change of an input becomes a change of the key, delivered through the key's own slot like the
/// change of a stored property. So its getter runs once for each change, however many observe it
/// (P15), and what is computed from it in turn hears of it once (P22).
final class DependentKey: Expression {
  private let ownSlot: Slot
  private let property: KeyValueProperty
  private let dependencies: Set<String>

  init(_ property: KeyValueProperty, in slot: Slot, of subject: some KeyValueObservable) {
    ownSlot = slot
    self.property = property
    dependencies = PropertyTable.of(type(of: subject)).dependencies(of: property.name) ?? []
    super.init(of: subject)
  }

  override var linkDemand: Demand { [.phases, .prior] }

  override var isShared: Bool { true }

  override func compute(_ subject: AnyObject) -> AnyValueBox? {
    let value = Recording.pauseUnless(property.kind == .computed) { property.box(of: subject) }
    if !dependencies.isEmpty, let recording = Recording.current,
      let subject = observableObject(subject)
    {
      recording.follow(dependencies, from: subject, slot: ownSlot)
    }
    return value
  }

  override func placement(of slot: Slot, at position: Int) -> Placement {
    Placement(rank: .dependent)
  }

  override func begin(_ change: ExpressionChange, at link: Link, _ subject: AnyObject) {
    // Where nobody is to be told, there is no delivery, and the steps that follow do nothing.
    // A key that is told of by hand follows an input that is, and no other (P20).
    if ownSlot.isManual && !change.isByHand || ownSlot.isScoped { return }
    // An overriding property reads the one that it overrides, whose setter tells the same observers.
    if link.slot === ownSlot { return }
    let delivery = change.delivery ?? pin(change, subject)
    delivery.pointee.change = change.number
    if delivery.pointee.round.demand.contains(.old), !change.isZeroing {
      change.old = currentValue(of: subject)
    }
    delivery.run(.will)
  }

  private func pin(_ change: ExpressionChange, _ subject: AnyObject)
    -> UnsafeMutablePointer<Delivery>
  {
    // Not the dependents: whoever depends on this key depends on its inputs, and is told by them.
    var round = ownSlot.context.lock.withLock { ownSlot.state.pin() }
    // The slot may begin to deliver until this change is delivered.
    round.mayBeNested = true
    let delivery = change.beginDelivery(
      Delivery(of: subject, at: .passUnretained(ownSlot), round))
    delivery.pointee.isZeroing = change.isZeroing
    return delivery
  }

  override func deliverPrior(_ change: ExpressionChange) {
    guard let delivery = change.delivery else { return }
    withAddress(of: change.old) { old in
      delivery.pointee.old = old
      delivery.run(.prior)
    }
  }

  override func settle(_ change: ExpressionChange) {
    change.delivery?.run(.settle)
  }

  override func deliver(_ change: ExpressionChange) {
    guard let delivery = change.delivery else { return }
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
    // There is nobody to be told, and the object may be dying.
    ownSlot.context.lock.withLock { ownSlot.state.endHold() }
    change.endDelivery()
  }

  override func reportNotSettling() {
    KeyValueDiagnostics.report(
      .doesNotSettle(type: subject.map { type(of: $0) } ?? AnyObject.self, key: property.key))
  }
}

extension KeyValueProperty {
  /// Whether changes of other keys are changes of this one.
  func dependsOnOthers(in subject: some KeyValueObservable) -> Bool {
    kind == .computed
      || PropertyTable.of(type(of: subject)).dependencies(of: name) != nil
  }
}
