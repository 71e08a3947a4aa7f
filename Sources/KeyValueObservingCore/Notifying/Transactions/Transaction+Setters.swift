internal import CKeyValueObserving

// The setters of properties that are stored by exchanging values.
extension Transaction {
  /// A set that has begun.
  @usableFromInline
  struct BegunSet {
    /// The observed key, if it is observed.
    @usableFromInline
    let key: Unmanaged<PendingKey>?
    @usableFromInline
    let action: StoreAction
    /// The version of the transaction's state in which it has begun; 0 if there is nothing to note afterwards: the
    /// property was only set again, or values are being put back.
    @usableFromInline
    let version: UInt

    /// Ends it, when the value was stored.
    ///
    /// - `former`: Returns the value that was replaced, in a box that it may use again; no observer awaits it of a
    ///   setter that runs code.
    @inlinable
    @inline(__always)
    func end(
      _ name: KeyName, in registrar: borrowing KeyValueRegistrar,
      replacing former: (consuming AnyValueBox?) -> AnyValueBox
    ) {
      if version == 0 { return }
      if let key {
        key._withUnsafeGuaranteedRef { $0.endSet(at: version, replacing: former) }
      } else {
        registrar.catchUp(name)
      }
    }
  }

  /// Prepares the observers of a property for a set.
  ///
  /// - `isExchange`: Whether the setter returns the value that it replaces, and runs no code in between. Its
  ///   observers then receive that as the old value, and it is not read before.
  /// - `read`: Reads the value, as one of the property's type.
  ///
  /// Returns nil, and prepares none, if the object is being deallocated, so that it cannot be kept until the end (P54).
  // It takes its closure twice as `beginModification` does: a copy for a closure of a setter that is specialized in the
  // library would retain what that captures (row: further set in a transaction).
  @usableFromInline
  @inline(never)
  func beginSet(
    _ name: KeyName, in context: Unmanaged<ObservationContext>?, of subject: AnyObject,
    isExchange: Bool, old read: () -> AnyValueBox?, again _: () -> AnyValueBox?
  ) -> BegunSet? {
    let observedKey = context?._withUnsafeGuaranteedRef { $0.keyWithObservers(named: name) }
    // The transaction keeps the object of such a set, which is not being deallocated.
    if let observedKey, let key = noteRepeatedSet(at: observedKey) {
      return BegunSet(key: key, action: .store, version: 0)
    }
    return beginOtherSet(
      name, at: observedKey, of: subject, isExchange: isExchange, old: read)
  }

  // Inlined, with one lock (row: further set).
  /// Notes another set of a property that was set in the innermost level, if it has nothing to note but its step.
  ///
  /// Returns nil, and notes nothing, if it has.
  @inline(__always)
  private func noteRepeatedSet(at observedKey: Unmanaged<ObservedKey>) -> Unmanaged<PendingKey>? {
    observedKey._withUnsafeGuaranteedRef { observedKey in
      let key: Unmanaged<PendingKey>? = observedKey.withLock {
        guard observedKey.certainlyNotifies, let key = observedKey.state.pendingKey(of: self),
          !key._withUnsafeGuaranteedRef({ $0.hasNewObservers(in: observedKey.state) })
        else { return nil }
        return key
      }
      guard let key, key._withUnsafeGuaranteedRef({ $0.noteRepeatedSet() }) else { return nil }
      return key
    }
  }

  /// Prepares the observers for any other set.
  @inline(never)
  private func beginOtherSet(
    _ name: KeyName, at observedKey: Unmanaged<ObservedKey>?, of subject: AnyObject,
    isExchange: Bool, old read: () -> AnyValueBox?
  ) -> BegunSet? {
    if kvo_is_deallocating(Unmanaged.passUnretained(subject).toOpaque()) { return nil }
    var key: Unmanaged<PendingKey>?
    if let observedKey {
      key = prepareChange(
        observedKey, of: subject, isExchange ? .setter : .property, old: read)
      if let key { markSet(key, at: observedKey) }
    }
    // Paths follow values that are put back when all of them are.
    let version = isRestoring ? 0 : stateVersion
    return BegunSet(key: key, action: willStore(name, in: subject), version: version)
  }
}

// Properties that are put back by their setters.
extension Transaction {
  /// Sets a property.
  ///
  /// - `read`: Reads the value, as one of the property's type.
  /// - `write`: Stores the new value; it may throw before it has changed anything.
  func set<Failure>(
    _ name: KeyName, of subject: some KeyValueObservable, read: () -> AnyValueBox,
    write: () throws(Failure) -> Void
  ) throws(Failure) {
    beginCollecting(in: subject)
    let context = subject.keyValueRegistrar.unmanagedContext
    let observedKey = context?._withUnsafeGuaranteedRef { $0.keyWithObservers(named: name) }
    let key = observedKey.flatMap { prepareChange($0, of: subject, .property, old: read) }?
      .takeUnretainedValue()
    // Numbered before the setter runs, so that changes inside it rank behind this one.
    let step = makeStep()
    switch willStore(name, in: subject) {
    case .record:
      let former = read()
      try write()
      add(record(of: name, in: subject, former))
    case .store: try write()
    case .ignore: return
    }
    if let key {
      // An edit by proxy has noted its change. Paths follow it at the end, as they follow others.
      if editedKey?.identity != key.identity { key.mark(depth, at: step, with: nil) }
    } else {
      catchUp(name, in: subject.keyValueRegistrar)
    }
  }

  /// Sets a property whose value cannot be put back.
  @usableFromInline
  func setUnrestorably(
    _ name: KeyName, of subject: AnyObject, keeping value: AnyValueBox, write: () -> Void
  ) {
    keptValues.append(value)
    switch willStore(name, in: subject) {
    case .record:
      add(UnrestorableRecord(of: name, in: subject))
      write()
    case .store: write()
    case .ignore: break
    }
  }

  private func record(
    of name: KeyName, in subject: some KeyValueObservable, _ value: AnyValueBox
  ) -> ChangeRecord {
    subject.keyValueProperty(named: name).map { PropertyRecord(of: $0, in: subject, value) }
      ?? UnrestorableRecord(of: name, in: subject)
  }

  /// Prepares a property for being mutated in place.
  @usableFromInline
  func willMutate(
    _ name: KeyName, in context: Unmanaged<ObservationContext>?, of subject: AnyObject,
    read: () -> AnyValueBox
  ) {
    willChange(name, in: context, of: subject, old: read)
    if recordPlannedEdit(of: name, in: subject) { return }
    let action = willStore(name, in: subject)
    if action == .store { return }
    guard let property = observableObject(subject)?.keyValueProperty(named: name) else { return }
    let record = PropertyRecord(of: property, in: subject, read())
    if action == .record { add(record) } else { addUnwanted(record) }
  }

  /// Records the value of a property of which a pair begins, and which may be set later, or not at all.
  func recordUnchanged(_ property: KeyValueProperty, of subject: some KeyValueObservable) {
    if isStoredBySuperclass(property, of: subject) { return }
    // Asking for a decision would note that a property which is recorded has changed.
    if let record = record(of: property.name, in: subject) {
      record.makeWhole()
      if Int(record.depth) == depth { return }
    }
    guard willStore(property.name, in: subject) == .record else { return }
    record(property, of: subject)
    record(of: property.name, in: subject)?.step = ChangeRecord.stepOfUnchanged
  }

  /// Whether the setter stores in a property of a superclass, which is recorded when it changes.
  ///
  /// To put the value back by the setter would change that another time (P50).
  private func isStoredBySuperclass(
    _ property: KeyValueProperty, of subject: some KeyValueObservable
  ) -> Bool {
    !property.isReadOnly && PropertyTable.of(type(of: subject)).isOverridden(property.name)
  }

  /// Records the value of a property that is going to change in another way than by a setter.
  func record(_ property: KeyValueProperty, of subject: some KeyValueObservable) {
    if isStoredBySuperclass(property, of: subject) { return }
    guard willStore(property.name, in: subject) == .record else { return }
    if let recording = subject as? any ChangeRecording {
      return add(recording.record(of: property.key))
    }
    add(PropertyRecord(of: property, in: subject, property.box(of: subject)))
  }
}
