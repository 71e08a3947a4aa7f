/// A `willChangeValue` that waits for its `didChangeValue` (P19).
///
/// It keeps its places in the audience, so that observers who come meanwhile do not hear of the
/// change, but nothing else: whoever ends meanwhile is gone at once, and what is computed from the key
/// is not retained. So one that is never completed changes nothing for what comes after.
final class OpenPair {
  let delivery: UnsafeMutablePointer<Delivery>
  let edit: Edit?
  let old: AnyValueBox?
  /// Reads from the object what the change has brought to the members of a collection; nil where it
  /// sets the property.
  ///
  /// It does not keep the object.
  let new: ((AnyObject) -> AnyValueBox)?

  init(
    _ delivery: UnsafeMutablePointer<Delivery>, edit: Edit?, old: AnyValueBox?,
    new: ((AnyObject) -> AnyValueBox)?
  ) {
    self.delivery = delivery
    self.edit = edit
    self.old = old
    self.new = new
  }

  deinit {
    delivery.deallocate()
  }
}

extension KeyValueObservable {
  /// Begins a change of a property by hand: captures what it takes away, and tells those who have to
  /// know before.
  ///
  /// - `new`: Reads from the object what it has brought to the members of a collection.
  func beginPair(
    of property: KeyValueProperty, as planned: PlannedChange,
    bringing new: ((AnyObject) -> AnyValueBox)? = nil
  ) {
    notifyTracking(.willSet, of: property)
    guard let slot = knownSlot(of: property), !slot.isScoped else { return }
    let delivery = UnsafeMutablePointer<Delivery>.allocate(capacity: 1)
    guard
      slot.context.begin(delivery, of: self, at: .passUnretained(slot), isByHand: true)
    else { return delivery.deallocate() }
    let old = delivery.prepare(planned) { planned }.old
    let pair = OpenPair(delivery, edit: planned.edit, old: old, new: new)
    delivery.hold()
    slot.context.lock.withLock { slot.state.insert(pair) }
  }

  /// Ends the change of a property that was begun last, and tells its observers.
  ///
  /// Does nothing if none is open.
  func endPair(of property: KeyValueProperty) {
    defer { notifyTracking(.didSet, of: property) }
    guard let slot = knownSlot(of: property), !slot.isScoped,
      let pair = slot.context.lock.withLock({ slot.state.takePair() })
    else { return }
    let delivery = pair.delivery
    delivery.resume()
    delivery.complete(
      from: pair.old,
      to: delivery.demands(.new) ? pair.brought(to: property, in: self) : nil)
    extendLifetime(pair)
  }
}

extension OpenPair {
  /// What the change has brought; nil where it takes away only.
  fileprivate func brought(
    to property: KeyValueProperty, in subject: AnyObject
  ) -> AnyValueBox? {
    if edit?.kind == .removal { return nil }
    return new.map { $0(subject) } ?? property.box(of: subject)
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// Lets go of the audience between the beginning of a change and its end, which may never come.
  func hold() {
    run(.hold)
    releaseRoots()
    let slot = pointee.slot.takeUnretainedValue()
    slot.context.lock.withLock { slot.state.hold(pointee.round) }?.release()
  }

  /// Goes on after `hold()`.
  func resume() {
    let slot = pointee.slot.takeUnretainedValue()
    slot.context.lock.withLock {
      slot.state.resume(&pointee.round)
    }
    run(.resume)
  }
}
