/// A `willChangeValue` that waits for its `didChangeValue` (P19).
///
/// It keeps the observer positions, so that observers added in between are not notified. It retains
/// nothing else: observers that end are released immediately, and so are dependents. So a pair that
/// is never completed does not affect later notifications.
final class ManualPair {
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
  /// Begins a manual change of a property: captures what it removes, and sends prior notifications.
  ///
  /// - `new`: Reads the new members of a collection from the object.
  func beginPair(
    of property: KeyValueProperty, as planned: ChangeDescription,
    bringing new: ((AnyObject) -> AnyValueBox)? = nil
  ) {
    notifyTracking(.willSet, of: property)
    guard let observedKey = existingKey(of: property), !observedKey.isInMutationBlock else {
      return
    }
    let delivery = UnsafeMutablePointer<Delivery>.allocate(capacity: 1)
    guard
      observedKey.context.begin(
        delivery, of: self, at: .passUnretained(observedKey), isManualNotification: true)
    else { return delivery.deallocate() }
    let old = delivery.prepare(planned) { planned }.old
    let pair = ManualPair(delivery, edit: planned.edit, old: old, new: new)
    delivery.hold()
    observedKey.context.lock.withLock { observedKey.state.insert(pair) }
  }

  /// Ends the manual change of a property that was begun last, and notifies its observers.
  ///
  /// Does nothing if no change is open.
  func endPair(of property: KeyValueProperty) {
    defer { notifyTracking(.didSet, of: property) }
    guard let observedKey = existingKey(of: property), !observedKey.isInMutationBlock,
      let pair = observedKey.context.lock.withLock({ observedKey.state.takePair() })
    else { return }
    let delivery = pair.delivery
    delivery.resume()
    delivery.complete(
      from: pair.old,
      to: delivery.requires(.new) ? pair.brought(to: property, in: self) : nil)
    extendLifetime(pair)
  }
}

extension ManualPair {
  /// The members that the change has added; nil if it only removes.
  fileprivate func brought(
    to property: KeyValueProperty, in subject: AnyObject
  ) -> AnyValueBox? {
    if edit?.kind == .removal { return nil }
    return new.map { $0(subject) } ?? property.box(of: subject)
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// Lets go of the observer list between the beginning of a change and its end, which may never come.
  func hold() {
    run(.hold)
    releaseRoots()
    let observedKey = pointee.observedKey.takeUnretainedValue()
    observedKey.context.lock.withLock { observedKey.state.hold(pointee.snapshot) }?.release()
  }

  /// Goes on after `hold()`.
  func resume() {
    let observedKey = pointee.observedKey.takeUnretainedValue()
    observedKey.context.lock.withLock {
      observedKey.state.resume(&pointee.snapshot)
    }
    run(.resume)
  }
}
