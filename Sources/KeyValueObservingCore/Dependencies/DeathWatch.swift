/// Tells the observers of a weak property when the object in it dies (P27).
///
/// It is attached to the extent of that object, and lasts until the property is set, is no longer
/// observed, or the object dies.
final class DeathWatch: Attachment {
  private unowned(unsafe) let owner: Slot
  private let ownerContext: Context
  private let targetContext: Context
  private let property: KeyValueProperty

  private init(
    on targetContext: Context, for property: KeyValueProperty, in owner: Slot
  ) {
    self.targetContext = targetContext
    self.owner = owner
    self.property = property
    ownerContext = owner.context
    super.init(demand: []) { _, _ in }
  }

  /// Watches `target` for the weak property that holds it, in place of what was watched before.
  ///
  /// - Returns: Whether it cannot be watched, and is the first of its class in the property since that
  ///   is observed.
  @discardableResult
  static func watch(
    _ target: AnyObject?, for property: KeyValueProperty, in slot: Slot, of subject: AnyObject
  ) -> Bool {
    let context = slot.context
    let observable = target as? any KeyValueObservable
    let watch = observable.map {
      DeathWatch(on: $0.observationContext, for: property, in: slot)
    }
    context.lock.lock()
    if context.subject == nil { context.subject = subject }
    let isObserved = slot.state.isObserved
    let former = slot.state.extras?.deathWatch
    if isObserved || former != nil {
      slot.state.setDeathWatch(isObserved ? watch : nil)
    }
    let isSilent = isObserved && target != nil && observable == nil
    let isSilentNews = isSilent && slot.state.note(silent: type(of: target!))
    context.lock.unlock()
    former?.end()
    if isObserved, let watch {
      _ = watch.targetContext.attach(watch, to: watch.targetContext.makeExtent())
      // Another thread may have set the property meanwhile, and ended the watch.
      if watch.hasEnded { watch.end() }
    }
    return isSilentNews
  }

  /// Watches what a weak property holds.
  static func watchValue(
    of property: KeyValueProperty, in slot: Slot, of subject: some KeyValueObservable
  ) {
    // Another thread may set it meanwhile, and the last to store need not be the last to watch.
    Recording.pause {
      var watched: AnyObject?
      var target = property.value(of: subject).map { $0 as AnyObject }
      repeat {
        watched = target
        watch(watched, for: property, in: slot, of: subject)
        target = property.value(of: subject).map { $0 as AnyObject }
      } while target !== watched && target != nil
    }
  }

  func end() {
    markEnded()
    targetContext.detach(self)
  }

  override func subjectDied() {
    if hasEnded { return }
    ownerContext.lock.lock()
    let isCurrent = owner.state.extras?.deathWatch === self
    if isCurrent { owner.state.setDeathWatch(nil) }
    let subject = isCurrent ? ownerContext.subject : nil
    ownerContext.lock.unlock()
    guard let subject else { return }
    // Another thread may have stored an object that it has not come to watch yet.
    if let successor = property.value(of: subject) {
      DeathWatch.watch(successor as AnyObject, for: property, in: owner, of: subject)
      return
    }
    ownerContext.deliverZeroing(of: property, in: owner, subject: subject)
  }
}

extension KeyValueProperty {
  /// What to say, when a weak property comes to be observed, if the death of what it holds, or can
  /// hold, will be silent.
  func silentDeaths(
    of target: AnyObject?, in subject: some KeyValueObservable
  ) -> KeyValueDiagnostic? {
    let type = target.map { Swift.type(of: $0) as AnyClass } ?? unwrappedType(valueType)
    guard type is AnyClass, !(type is any KeyValueObservable.Type) else { return nil }
    return .unobservableTarget(type: Swift.type(of: subject), key: key, target: type)
  }
}

extension Context {
  /// Delivers that a weak property became nil. Nothing was told before it, and the dead have no
  /// value, so there is no prior and no old value.
  func deliverZeroing(of property: KeyValueProperty, in slot: Slot, subject: AnyObject) {
    withUnsafeTemporaryAllocation(of: Delivery.self, capacity: 1) { memory in
      let delivery = memory.baseAddress!
      guard begin(delivery, of: subject, at: .passUnretained(slot)) else { return }
      delivery.pointee.isZeroing = true
      delivery.pointee.round.demand.subtract([.old, .prior])
      withExtendedLifetime(subject) { delivery.deliverZeroing(of: property) }
    }
  }
}

extension UnsafeMutablePointer<Delivery> {
  fileprivate func deliverZeroing(of property: KeyValueProperty) {
    if pointee.round.demand.contains(.phases) {
      pointee.number()
      run(.will)
      run(.settle)
    }
    if let running {
      running.enqueue(pointee, old: nil, new: NilBox(of: property))
    } else {
      property.withNil { none in
        pointee.new = none
        deliver()
      }
    }
  }
}
