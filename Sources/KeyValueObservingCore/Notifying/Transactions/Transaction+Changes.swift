internal import CKeyValueObserving

// The steps of a change in a transaction.
extension Transaction {
  /// A set that has begun.
  @usableFromInline
  struct BegunSet {
    /// The observed key, if it is observed.
    @usableFromInline
    let key: Unmanaged<PendingKey>?
    @usableFromInline
    let decision: Decision
    /// The number of the level in which it has begun; 0 if there is nothing to note but that the property was set
    /// again.
    @usableFromInline
    let level: UInt
  }

  /// Prepares the observers of a property for a set.
  ///
  /// - `read`: Reads the value, as one of the property's type.
  @usableFromInline
  func beginSet(
    _ name: KeyName, in context: Unmanaged<ObservationContext>?, of subject: AnyObject,
    old read: () -> AnyValueBox?
  ) -> BegunSet {
    var key: Unmanaged<PendingKey>?
    if !isRestoring,
      let observedKey = context?._withUnsafeGuaranteedRef({ $0.keyWithObservers(named: name) })
    {
      let known = lateObservers.isEmpty ? PendingKey.known(at: observedKey, in: self) : nil
      if let known, known._withUnsafeGuaranteedRef({ $0.repeatsSet() }) {
        return BegunSet(key: known, decision: .store, level: 0)
      }
      key = willChange(known, at: observedKey, of: subject, old: read)
    }
    // Paths follow values that are put back when all of them are.
    let level = isRestoring ? 0 : levelNumber
    return BegunSet(key: key, decision: decision(of: name, in: subject), level: level)
  }

  /// Prepares the observers of a property for its first change.
  ///
  /// - `read`: Reads the value, as one of the property's type.
  ///
  /// Returns the key, if it is observed.
  @discardableResult
  @usableFromInline
  func willChange(
    _ name: KeyName, in context: Unmanaged<ObservationContext>?, of subject: AnyObject,
    old read: () -> AnyValueBox?
  ) -> Unmanaged<PendingKey>? {
    guard !isRestoring,
      let observedKey = context?._withUnsafeGuaranteedRef({ $0.keyWithObservers(named: name) })
    else { return nil }
    let known = lateObservers.isEmpty ? PendingKey.known(at: observedKey, in: self) : nil
    return willChange(known, at: observedKey, of: subject, old: read)
  }

  /// Notes a change of a key, if it is known that it is pending, or prepares its observers.
  private func willChange(
    _ known: Unmanaged<PendingKey>?, at observedKey: Unmanaged<ObservedKey>, of subject: AnyObject,
    old read: () -> AnyValueBox?
  ) -> Unmanaged<PendingKey>? {
    let key =
      known
      ?? prepareChange(
        observedKey, of: subject, isManualNotification: false, completing: nil, isEdit: false,
        old: read)
    key?._withUnsafeGuaranteedRef { $0.mark(depth, with: nil, isEditing: isEditing(observedKey)) }
    return key
  }

  /// Whether the collection of a key is being edited.
  private func isEditing(_ observedKey: Unmanaged<ObservedKey>) -> Bool {
    editedKey.map { Unmanaged.passUnretained($0).toOpaque() } == observedKey.toOpaque()
  }

  /// The same for an observed key.
  @discardableResult
  func willChange(
    _ observedKey: ObservedKey, of subject: AnyObject, isManualNotification: Bool = false,
    completing pair: ManualPair? = nil, editing edit: Edit? = nil, old read: () -> AnyValueBox?
  ) -> Unmanaged<PendingKey>? {
    let observedKey = Unmanaged.passUnretained(observedKey)
    let key = prepareChange(
      observedKey, of: subject, isManualNotification: isManualNotification, completing: pair,
      isEdit: edit != nil, old: read)
    key?._withUnsafeGuaranteedRef { $0.mark(depth, with: edit, isEditing: isEditing(observedKey)) }
    return key
  }

  /// Reattaches derived values that were attached while a property was set that had no observers before.
  @usableFromInline
  func catchUp(_ name: KeyName, in registrar: borrowing KeyValueRegistrar) {
    // Paths follow values that are put back when all of them are.
    if !isRestoring { registrar.catchUp(name) }
  }

  /// Prepares the observers of a key that may be about to change: those that have come since its last change
  /// start from the present value.
  func prepareChange(
    _ observedKey: Unmanaged<ObservedKey>, of subject: AnyObject, isManualNotification: Bool,
    completing pair: ManualPair?, isEdit: Bool, isInPlace: Bool = false,
    old read: () -> AnyValueBox?
  ) -> Unmanaged<PendingKey>? {
    guard
      let (key, first) = PendingKey.begin(
        at: observedKey, of: subject, in: self, isManualNotification: isManualNotification)
    else { return nil }
    if !lateObservers.isEmpty { notifyLateObservers(ofChangeAt: observedKey) }
    var made = first
    var rounds = 0
    while let delivery = made {
      // Observers that register others without end are not notified before the change.
      let isLast = rounds == LoopLimit.generationLimit
      delivery.prepare(
        number: number, editing: isEdit, inPlace: isInPlace, without: excluded, completing: pair,
        inPair: isLast || isInPair(of: observedKey, of: subject), old: read)
      made =
        delivery.isAnnounced && !isLast
        ? key._withUnsafeGuaranteedRef { $0.takeInNewObservers() } : nil
      rounds += 1
    }
    return key
  }

  private func notifyLateObservers(ofChangeAt observedKey: Unmanaged<ObservedKey>) {
    for observers in lateObservers { observers.keyWillChange(observedKey.takeUnretainedValue()) }
  }

  /// Whether a pair of a key is open that has begun in the transaction.
  private func isInPair(of observedKey: Unmanaged<ObservedKey>, of subject: AnyObject) -> Bool {
    !openPairs.isEmpty
      && observedKey._withUnsafeGuaranteedRef { isInPair(of: $0.name, of: subject) }
  }

  /// Prepares the observers of a property whose value is about to be put back: those that were registered
  /// since its last change start from the value that it has (P53).
  ///
  /// Their change is not taken back with a transaction around this one, which never had that value.
  ///
  /// Returns the key, if it is observed.
  func prepareToRestore(_ record: ChangeRecord) -> PendingKey? {
    guard
      let observedKey = observableObject(record.subject)?.madeObservationContext?
        ._withUnsafeGuaranteedRef({ $0.keyWithObservers(named: record.name) }),
      let (pending, made) = PendingKey.begin(
        at: observedKey, of: record.subject, in: self,
        // A key whose setter does not notify has changed if it was notified manually.
        isManualNotification: observedKey._withUnsafeGuaranteedRef { isPending($0) })
    else { return nil }
    let key = pending.takeUnretainedValue()
    if !lateObservers.isEmpty { notifyLateObservers(ofChangeAt: observedKey) }
    made?.prepare(number: number, editing: false, without: []) { key.presentValue }
    key.forEachDelivery { delivery in
      guard delivery.step > record.step else { return }
      delivery.deriveOld { key.presentValue }
      if delivery.mark(0, in: self) { append(delivery) }
      delivery.noteRestored()
    }
    return key
  }
}

// The end of the outermost transaction.
extension Transaction {
  func deliver(on thread: UnsafeMutablePointer<kvo_thread_state>) {
    forEachKey { $0.readNewValue() }
    if hasPhases {
      forEachKey { $0.forEachDelivery { $0.settle(isTakenBack: false) } }
      forEachKey { $0.forEachDelivery { $0.settle(isTakenBack: true) } }
    }
    for observers in lateObservers { observers.settle() }
    forEachKey { $0.catchUp() }
    if hasPhases { forEachKey { $0.forEachDelivery { $0.abandonUnlessToDeliver() } } }
    forEachKey { $0.beginDelivering(thread) }
    forEachKey { $0.deliverToObservers(thread) }
    if hasPhases { forEachKey { $0.forEachDelivery { $0.callDependents(thread) } } }
    for observers in lateObservers { observers.deliver() }
    forEachKey { $0.forEachDelivery { $0.end() } }
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
    let key = prepareChange(
      name, in: subject.keyValueRegistrar.unmanagedContext, of: subject, old: read)?
      .takeUnretainedValue()
    // Changes that the setter makes come later, though they are noted first.
    let step = makeStep()
    switch decision(of: name, in: subject) {
    case .record:
      let former = read()
      try write()
      add(record(of: name, in: subject, former))
    case .store: try write()
    case .ignore: return
    }
    if let key {
      key.mark(depth, at: step, with: nil)
    } else {
      catchUp(name, in: subject.keyValueRegistrar)
    }
  }

  /// Prepares the observers of a property that may be about to be set.
  private func prepareChange(
    _ name: KeyName, in context: Unmanaged<ObservationContext>?, of subject: AnyObject,
    old read: () -> AnyValueBox?
  ) -> Unmanaged<PendingKey>? {
    guard !isRestoring,
      let observedKey = context?._withUnsafeGuaranteedRef({ $0.keyWithObservers(named: name) }),
      let key = prepareChange(
        observedKey, of: subject, isManualNotification: false, completing: nil, isEdit: false,
        old: read)
    else { return nil }
    return isEditing(observedKey) ? nil : key
  }

  /// Sets a property whose value cannot be put back.
  @usableFromInline
  func setUnrestorably(
    _ name: KeyName, of subject: AnyObject, keeping value: AnyValueBox, write: () -> Void
  ) {
    keptValues.append(value)
    switch decision(of: name, in: subject) {
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
    let decision = decision(of: name, in: subject)
    if decision == .store { return }
    guard let property = observableObject(subject)?.keyValueProperty(named: name) else { return }
    let record = PropertyRecord(of: property, in: subject, read())
    if decision == .record { add(record) } else { addUnwanted(record) }
  }

  /// Records the value of a property of which a pair begins, and which may be set later, or not at all.
  private func recordUnchanged(_ property: KeyValueProperty, of subject: AnyObject) {
    guard decision(of: property.name, in: subject) == .record else { return }
    record(property, of: subject)
    record(of: property.name, in: subject)?.step = ChangeRecord.stepOfUnchanged
  }

  /// Records the value of a property that is going to change in another way than by a setter.
  func record(_ property: KeyValueProperty, of subject: AnyObject) {
    guard decision(of: property.name, in: subject) == .record else { return }
    if let recording = subject as? any ChangeRecording {
      return add(recording.record(of: property.key))
    }
    add(PropertyRecord(of: property, in: subject, property.box(of: subject)))
  }
}

// Changes that an object reports afterwards.
extension Transaction {
  func didChange(
    _ entry: KeyValueProperty, of subject: some KeyValueObservable, from oldValue: Any?
  ) {
    if isRestoring { return }
    let old = ValueBox(oldValue)
    if let context = subject.keyValueRegistrar.unmanagedContext {
      FormerValue.with(oldValue, of: entry.name, context) {
        _ = willChange(entry.name, in: context, of: subject) { old }
      }
    }
    if decision(of: entry.name, in: subject) == .record {
      add(PropertyRecord(of: entry, in: subject, old))
    }
  }
}

// Mutation blocks, and edits of collections.
extension Transaction {
  /// Runs `body`, which makes a change that was planned.
  func withChange<Subject: KeyValueObservable, Result>(
    of property: KeyValueProperty, in subject: Subject, isManualNotification: Bool,
    as plan: () -> ChangeDescription?, _ body: (ChangeDescription?) throws -> Result
  ) rethrows -> Result {
    if isRestoring { return try body(plan()) }
    guard let planned = plan() else { return try body(nil) }
    let observedKey = subject.existingKey(of: property)
    let key = observedKey.flatMap {
      prepareChange(
        .passUnretained($0), of: subject, isManualNotification: isManualNotification,
        completing: nil, isEdit: planned.edit != nil,
        isInPlace: planned.edit != nil && !isManualNotification
          && property.arrayEditedInPlace != nil
      ) { property.box(of: subject) }
    }?.takeUnretainedValue()
    // Prior notifications may have changed what is to be changed.
    guard let final = plan() else { return try body(nil) }
    let edit = isManualNotification ? nil : PlannedEdit(final, of: property, in: subject)
    let isEditing = editedKey.map { $0 === observedKey } ?? false
    key?.mark(depth, with: final.edit, planned: edit, isEditing: isEditing)
    let (outer, outerPlanned) = (editedKey, plannedEdit)
    defer { (editedKey, plannedEdit) = (outer, outerPlanned) }
    record(edit, ofProperty: property, of: subject)
    if final.edit != nil { editedKey = observedKey }
    guard isManualNotification, let observedKey else { return try body(final) }
    // Changes of its inputs are a part of the change.
    return try subject.withMutationBlock(of: property.name, observedKey) { try body(final) }
  }
}

/// A pair of manual notifications that has begun in a transaction.
struct OpenPair {
  let object: ObjectIdentifier
  /// It keeps the name of its key.
  let property: KeyValueProperty

  func isOf(_ name: KeyName, of subject: AnyObject) -> Bool {
    object == ObjectIdentifier(subject) && property.name == name
  }
}

// Pairs of manual notifications.
extension Transaction {
  /// Notes that a pair begins.
  ///
  /// Returns whether prior notifications of the key have been sent, or those of a computed key.
  func beginPair(of property: KeyValueProperty, in subject: some KeyValueObservable) -> Bool {
    recordUnchanged(property, of: subject)
    openPairs.append(OpenPair(object: ObjectIdentifier(subject), property: property))
    guard let observedKey = subject.existingKey(of: property) else { return false }
    let key = pendingKey(at: observedKey)
    key?.deriveOldValues()
    return key?.isAnnounced == true
      || observedKey.computedKey?.outputDelivery(of: number) != nil
  }

  /// Whether a pair of a key is open that has begun in the transaction.
  func isInPair(of name: KeyName, of subject: AnyObject) -> Bool {
    !openPairs.isEmpty && openPairs.contains { $0.isOf(name, of: subject) }
  }

  /// Notes that a pair ends.
  ///
  /// Returns false if it was begun before the transaction.
  func endPair(of property: KeyValueProperty, in subject: some KeyValueObservable) -> Bool {
    guard let index = openPairs.lastIndex(where: { $0.isOf(property.name, of: subject) }) else {
      return false
    }
    openPairs.remove(at: index)
    return true
  }

  /// Makes the change of a pair a part of the transaction.
  func complete(
    _ property: KeyValueProperty, of subject: some KeyValueObservable, at observedKey: ObservedKey
  ) {
    let pair = observedKey.takePair()
    let present = { property.box(of: subject) }
    guard let pair, let edit = pair.edit else {
      willChange(observedKey, of: subject, isManualNotification: true, completing: pair) {
        pair?.old ?? present()
      }
      return
    }
    // The pair has kept the elements of an edit; the collection was another one before it.
    let former = present().takingBack(
      edit, removed: pair.old, added: pair.newValue(of: property, in: subject))
    willChange(
      observedKey, of: subject, isManualNotification: true, completing: pair,
      editing: former == nil ? nil : edit
    ) { former ?? present() }
  }
}
