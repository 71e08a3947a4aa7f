/// Notifies the observers of a weak property when the object in it is deallocated (P27).
///
/// It is attached to the deallocation key of that object, and lasts until the property holds
/// another object, is no longer observed, or the object is deallocated.
final class WeakTargetObservation: TargetRegistration {
  private unowned(unsafe) let owner: ObservedKey
  private let ownerContext: ObservationContext
  private let property: KeyValueProperty
  /// The global actor on which the watch was set up, if any: the observed object may be isolated to
  /// it.
  private let queue = ActorQueue.currentGlobal
  /// The change that was begun with the deallocation.
  private var begun: TargetDeallocation?

  private init(
    on targetContext: ObservationContext, for property: KeyValueProperty, in owner: ObservedKey
  ) {
    self.owner = owner
    self.property = property
    ownerContext = owner.context
    super.init(at: targetContext)
  }

  /// Watches the object that a weak property has come to hold, in place of those that it held before.
  ///
  /// Several threads may set the property at once, and come here in another order than they stored. So
  /// each watches its own target first, and reads the property again: if the property still holds the
  /// target, older watches are stale; otherwise this one is.
  ///
  /// - `read`: Reads the property.
  /// - Returns: Whether the object cannot be watched, and is the first of its class in the property
  ///   since that is observed.
  static func watch(
    _ target: AnyObject?, for property: KeyValueProperty, in observedKey: ObservedKey,
    of subject: AnyObject,
    read: () -> AnyObject?
  ) -> Bool {
    guard let number = begin(on: target, for: property, in: observedKey, of: subject) else {
      return false
    }
    let isCurrent = read() === target
    let over = observedKey.context.lock.withLock {
      observedKey.state.extras?.targets.take { isCurrent ? $0 < number : $0 == number }
        ?? []
    }
    for watch in over { watch.end() }
    guard let target, observableObject(target) == nil else { return false }
    return observedKey.context.lock.withLock { observedKey.state.note(silent: type(of: target)) }
  }

  /// Begins to watch an object.
  ///
  /// Returns the number of the watch, nil if the property has no observers and is not tracked by
  /// the module `Observation`.
  private static func begin(
    on target: AnyObject?, for property: KeyValueProperty, in observedKey: ObservedKey,
    of subject: AnyObject
  ) -> Int? {
    let watch = observableObject(target).map {
      WeakTargetObservation(on: $0.observationContext, for: property, in: observedKey)
    }
    let context = observedKey.context
    let added = context.lock.withLock {
      if context.subject == nil { context.subject = subject }
      return observedKey.state.isObserved || context.isTracked.load(ordering: .relaxed)
        ? observedKey.state.madeExtras().targets.add(watch) : nil
    }
    if let watch, added?.isNew == true {
      watch.targetContext.attachToDeallocation(watch)
      // Another thread may have set the property meanwhile, and ended the watch.
      if watch.hasEnded { watch.end() }
    }
    return added?.number
  }

  /// Watches what a weak property holds that has become observed.
  ///
  /// - `report`: Reports an object that does not notify of its deallocation, unless the caller has done so.
  static func watchValue(
    of property: KeyValueProperty, in observedKey: ObservedKey, of subject: some KeyValueObservable,
    reporting report: ((KeyValueDiagnostic) -> Void)? = nil
  ) {
    ThreadState.pauseRecording {
      let target = property.value(of: subject).map { $0 as AnyObject }
      if let report, let diagnostic = property.unobservableTarget(of: target, in: subject) {
        report(diagnostic)
      }
      guard let target else { return }
      _ = watch(target, for: property, in: observedKey, of: subject) {
        property.value(of: subject).map { $0 as AnyObject }
      }
    }
  }

  private var subject: AnyObject? { ownerContext.lock.withLock { ownerContext.subject } }

  override func beginDeallocation() {
    // These begin it themselves.
    if hasEnded || InPlaceMutation.outermost != nil || Transaction.current != nil { return }
    guard let subject, actorQueue(for: subject) == nil else { return }
    begun = TargetDeallocation(of: property, at: owner, of: subject)
    begun?.begin()
  }

  override func subjectDeallocated() {
    let subject = ownerContext.lock.withLock {
      owner.state.extras?.targets.remove(self) == true ? ownerContext.subject : nil
    }
    guard let subject else { return abandonDeallocation() }
    if let begun = begun.take() { return begun.deliver() }
    if let queue = actorQueue(for: subject) {
      queue.schedule {
        if let subject = self.subject { self.notify(of: subject) }
      }
    } else {
      notify(of: subject)
    }
  }

  override func abandonDeallocation() { begun.take()?.abandon() }

  /// The queue of the actor on which the observers are notified, if the running thread is not on it: of a class that is
  /// isolated to an actor nothing may be evaluated anywhere else.
  private func actorQueue(for subject: AnyObject) -> ActorQueue? {
    queue.flatMap { !$0.isOnActor && isOffItsActor(subject) ? $0 : nil }
  }

  private func notify(of subject: AnyObject) {
    InPlaceMutation.notify(of: TargetDeallocation(of: property, at: owner, of: subject))
  }
}

extension KeyValueProperty {
  /// The diagnostic to report when a weak property becomes observed whose object, or whose class,
  /// does not notify of deallocation.
  func unobservableTarget(
    of target: AnyObject?, in subject: some KeyValueObservable
  ) -> KeyValueDiagnostic? {
    let type = target.map { Swift.type(of: $0) as AnyClass } ?? unwrappedType(valueType)
    guard type is AnyClass, observableType(type) == nil else { return nil }
    return .unobservableWeakTarget(type: Swift.type(of: subject), key: key, target: type)
  }
}

extension ObservedKey {
  /// Makes the deallocation of `target`, which a weak property holds, a change of the property.
  func watch<Wrapped>(
    _ newValue: Wrapped?, heldBy subject: some KeyValueObservable, read: () -> Wrapped?
  ) {
    guard let property = subject.keyValueProperty(named: name) else { return }
    let target = newValue.map { $0 as AnyObject }
    let isSilentNews = WeakTargetObservation.watch(target, for: property, in: self, of: subject) {
      read().map { $0 as AnyObject }
    }
    // If the property's type is a class, observing it has reported this already.
    guard isSilentNews, !(unwrappedType(property.valueType) is AnyClass),
      let report = property.unobservableTarget(of: target, in: subject)
    else { return }
    KeyValueDiagnostics.report(report)
  }
}
