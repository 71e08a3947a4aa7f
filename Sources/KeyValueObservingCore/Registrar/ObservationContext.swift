public import Synchronization

extension KeyValueObservable {
  /// The context of the object's observers, made if there is none.
  var observationContext: ObservationContext { keyValueRegistrar.madeContext.takeUnretainedValue() }

  // An existential cannot be asked for its registrar, which is not copyable.
  /// The same, nil if the object has never been observed.
  var existingContext: Unmanaged<ObservationContext>? { keyValueRegistrar.unmanagedContext }

  /// The observed key of a property that may be about to change, if it is or was observed.
  ///
  /// Those that record all entries of the object are attached to it.
  func observedKey(ofChanging property: KeyValueProperty) -> ObservedKey? {
    keyValueRegistrar.unmanagedContext?._withUnsafeGuaranteedRef {
      if $0.hasEntryRecorders { recordEntry(property) }
      return $0.observedKey(named: property.name)?.takeUnretainedValue()
    }
  }
}

/// The lock around what is known of one observed object: its observed keys, the first of which it is.
///
/// Made when the first of its keys is observed, and shared by the object's registrar and by
/// all that is attached, so that ends need not find the object.
@usableFromInline
final class ObservationContext: ObservedKey, @unchecked Sendable {  // atomic or guarded by `lock`
  /// The marks of the names of all observed keys.
  @usableFromInline
  let marks = Atomic<UInt64>(0)
  /// The `ObservationContextWord` of the context.
  let word = Atomic<UInt>(ObservationContextWord.empty)
  // The narrow ones last, without a gap (row: memory).
  let lock = Lock()
  private(set) var isDeallocated = false
  /// Whether a computed key was observed whose getter read nothing that can be observed.
  let mayHaveUnseenKeys = Atomic<Bool>(false)
  /// Whether the module `Observation` may track weak properties of the object: those are watched while they
  /// have no observers, too.
  let isTracked = Atomic<Bool>(false)

  init() { super.init(isContext: true) }

  deinit {
    releaseKeys()
  }

  // MARK: Extras

  /// The object, if it must be reached from a weak property whose target is deallocated.
  ///
  /// Other objects have none, because a weak reference slows down every retain. Guarded by `lock`.
  var subject: AnyObject? {
    get { unmanagedExtras?._withUnsafeGuaranteedRef { $0.subject } }
    set { madeExtrasLocked().subject = newValue }
  }

  /// The object that another module associates with this one.
  ///
  /// Guarded by `lock`.
  var associatedObject: AnyObject? {
    get { extras?.associatedObject }
    set { madeExtrasLocked().associatedObject = newValue }
  }

  /// The observed key of observers that are only notified of the object's deallocation, made if there is
  /// none, with the lock held.
  private func madeDeallocationKeyLocked() -> Unmanaged<ObservedKey> {
    let key = unmanagedExtras?._withUnsafeGuaranteedRef { extras in
      extras.deallocationKey.map(Unmanaged.passUnretained)
    }
    if let key { return key }
    let made = FurtherObservedKey(of: self, named: KeyName(""), isManual: true, former: nil)
    madeExtrasLocked().deallocationKey = made
    return .passUnretained(made)
  }

  // MARK: Attaching

  /// Attaches an observer that is only notified of the object's deallocation.
  ///
  /// Does nothing if the object is gone.
  func attachToDeallocation(_ registration: Registration) {
    lock.lock()
    defer { lock.unlock() }
    madeDeallocationKeyLocked()._withUnsafeGuaranteedRef {
      attachLocked(registration, to: $0, as: .observer)
    }
  }

  /// Attaches the closure of a token to the observed key that notifies automatically and depends
  /// on no other.
  ///
  /// Returns the observed key.
  @inline(__always)
  func attach(
    _ closure: AnyHandler, needing needs: ObserverNeeds, to property: Unmanaged<KeyValueProperty>,
    of token: KeyValueObservation
  ) -> Unmanaged<ObservedKey> {
    let name = property._withUnsafeGuaranteedRef { $0.name }
    let known = observedKey(named: name)
    lock.lock()
    let observedKey = known ?? .passUnretained(makeObservedKeyLocked(named: name, isManual: false))
    observedKey._withUnsafeGuaranteedRef { observedKey in
      // A delivery on another thread reads what is there.
      if observedKey.accessor == nil {
        observedKey.accessor = property._withUnsafeGuaranteedRef { $0.lastingAccessor }
      }
      observedKey.state.attach(closure, needing: needs, of: token)
      observedKey.isObserved.store(true, ordering: .relaxed)
    }
    lock.unlock()
    return observedKey
  }

  /// Attaches to an observed key, made unless it is known.
  ///
  /// Returns the observed key.
  func attach(
    _ registration: Registration, toKey name: KeyName, _ known: Unmanaged<ObservedKey>?,
    isManual: Bool, as order: NotificationOrder = .observer
  ) -> Unmanaged<ObservedKey> {
    lock.lock()
    let observedKey =
      known ?? .passUnretained(makeObservedKeyLocked(named: name, isManual: isManual))
    observedKey._withUnsafeGuaranteedRef { attachLocked(registration, to: $0, as: order) }
    lock.unlock()
    return observedKey
  }

  /// Attaches to an observed key of this context, with the lock held, unless the object is gone.
  private func attachLocked(
    _ registration: Registration, to observedKey: ObservedKey, as order: NotificationOrder
  ) {
    // Known even if the object is gone, so that nothing can be attached to the key.
    registration.unmanagedKey = .passUnretained(observedKey)
    if isDeallocated { return }
    registration.order = order
    observedKey.state.attach(registration)
    observedKey.isObserved.store(true, ordering: .relaxed)
  }

  /// Lets a registration ask for more than it has asked for.
  func request(_ needs: ObserverNeeds, for registration: Registration) {
    lock.withLock {
      if registration.index >= 0, let observedKey = registration.unmanagedKey {
        observedKey._withUnsafeGuaranteedRef { $0.state.request(needs, for: registration) }
      } else {
        registration.requestedNeeds = needs
      }
    }
  }

  // MARK: Detaching

  /// Takes a registration out of its observed key, if it is still in one.
  ///
  /// Returns what the key no longer needs, to be ended by the caller.
  func takeOut(_ registration: Registration) -> IdleParts? {
    lock.lock()
    defer { lock.unlock() }
    return takeOutLocked(registration)
  }

  /// The same with the lock held, outside of which the parts are to be ended.
  func takeOutLocked(_ registration: Registration) -> IdleParts? {
    guard let observedKey = registration.unmanagedKey, registration.index >= 0 else { return nil }
    return observedKey._withUnsafeGuaranteedRef { observedKey in
      observedKey.state.detach(registration)
      return idlePartsLocked(of: observedKey)
    }
  }

  /// Takes the closure of a token out, unless the object is gone.
  @inline(__always)
  func detachClosure(of token: KeyValueObservation, from observedKey: Unmanaged<ObservedKey>) {
    lock.lock()
    guard token.index >= 0 else { return lock.unlock() }
    let (closure, idle) = observedKey._withUnsafeGuaranteedRef { observedKey in
      (observedKey.state.detachClosure(at: token.index), idlePartsLocked(of: observedKey))
    }
    token.index = -1
    lock.unlock()
    closure?.release()
    idle?.end()
  }

  @inline(__always)
  private func idlePartsLocked(of observedKey: ObservedKey) -> IdleParts? {
    if observedKey.state.isObserved { return observedKey.state.takeIdleComputation() }
    observedKey.isObserved.store(false, ordering: .relaxed)
    if observedKey.state.extras == nil { return nil }
    return observedKey.state.takeIdleParts(isTracked: isTracked.load(ordering: .relaxed))
  }

  // MARK: Deallocation

  /// Notifies all registrations that the object was deallocated.
  ///
  /// The registrar calls this from its `deinit`, so no change of the object can be in delivery.
  ///
  /// - Complexity: O(*n*) in the number of registrations, and of the keys ever observed.
  func subjectDeallocated() {
    // The newest observed key is first in the list; the oldest observers are notified first.
    var newestFirst: [[DetachedObserver]] = []
    var idle: [IdleParts] = []
    lock.lock()
    isDeallocated = true
    forEachKey { observedKey in
      let attached = observedKey.state.detachAll()
      if !attached.isEmpty { newestFirst.append(attached) }
      observedKey.isObserved.store(false, ordering: .relaxed)
      if let parts = observedKey.state.takeIdleParts() { idle.append(parts) }
    }
    let watchers = extras?.deallocationKey?.state.detachAll() ?? []
    // It may keep tokens, which keep this.
    let associatedObject = extras?.associatedObject.take()
    lock.unlock()
    extendLifetime(associatedObject)
    for parts in idle { parts.end() }
    // Reads by observers are no inputs of a getter that has released the object.
    ThreadState.pauseRecording {
      if watchers.count + newestFirst.count > 1 { watchers.forEach(begin) }
      for attached in newestFirst.reversed() { attached.forEach(end) }
      watchers.forEach(end)
    }
  }

  /// Begins the change that the deallocation is to what is registered, before callbacks of others make changes.
  private func begin(_ attached: DetachedObserver) {
    if case .registration(let registration) = attached { registration.beginDeallocation() }
  }

  private func end(_ attached: DetachedObserver) {
    switch attached {
    case .closure(let closure): closure.release()
    case .registration(let registration): notify(registration)
    }
  }

  private func notify(_ registration: Registration) {
    // An observer that ended in between, perhaps in the callback of another, is not notified.
    let isLate = registration.completion?.mayOutliveSubject ?? false
    let fromToken = isLate ? nil : takeFromToken(registration)
    if registration.hasEnded {
      registration.abandonDeallocation()
    } else {
      registration.subjectDeallocated()
    }
    fromToken?.release()
    // Until then its token is able to end it.
    if isLate {
      registration.completion?.afterDeletion { self.takeFromToken(registration)?.release() }
    }
  }

  private func takeFromToken(_ registration: Registration) -> Unmanaged<Registration>? {
    lock.withLock {
      registration.token?._withUnsafeGuaranteedRef { $0.takeRegistrationLocked() }
    }
  }

  /// Whether a key of the object is observed.
  var isObjectObserved: Bool {
    lock.withLock {
      var isObserved = false
      forEachKey { if $0.state.isObserved { isObserved = true } }
      return isObserved
    }
  }

  /// Traps where the state contradicts itself.
  ///
  /// Tests call it after every step.
  func checkInvariants() {
    lock.withLock {
      var found = 0
      forEachKey { observedKey in
        observedKey.state.checkInvariants()
        checkInvariant(
          observedKey.isObserved.load(ordering: .relaxed) == observedKey.state.isObserved,
          "a set of an observed key would not look for observers")
        found += 1
      }
      extras?.deallocationKey?.state.checkInvariants()
      checkInvariant(
        tableCount.map { $0 == found } ?? (found < ObservationContext.tableLimit),
        "\(found) observed keys, and \(tableCount ?? 0) in the table")
    }
  }
}
