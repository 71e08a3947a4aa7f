internal import CKeyValueObserving

// The steps of a change in a transaction.
extension Transaction {
  /// Prepares the observers of a property that is about to be set or mutated in place, and notes the change.
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
    guard
      let observedKey = context?._withUnsafeGuaranteedRef({ $0.keyWithObservers(named: name) }),
      let key = prepareChange(observedKey, of: subject, .property, old: read)
    else { return nil }
    markSet(key, at: observedKey)
    return key
  }

  /// Notes that a property is set, or mutated in place.
  func markSet(_ key: Unmanaged<PendingKey>, at observedKey: Unmanaged<ObservedKey>) {
    key._withUnsafeGuaranteedRef {
      $0.mark(depth, with: nil, isEditing: isEditing(observedKey))
    }
  }

  /// Whether the collection of a key is being edited.
  func isEditing(_ observedKey: Unmanaged<ObservedKey>) -> Bool {
    editedKey.map { Unmanaged.passUnretained($0).toOpaque() } == observedKey.toOpaque()
  }

  /// Reattaches derived values that were attached while a property was set that had no observers before.
  @usableFromInline
  func catchUp(_ name: KeyName, in registrar: borrowing KeyValueRegistrar) {
    // Paths follow values that are put back when all of them are.
    if !isRestoring { registrar.catchUp(name) }
  }

  /// Prepares the observers of a key that may be about to change, without noting a change: those that were
  /// registered since its last change start from the present value.
  ///
  /// Returns the key; nil if no observer is to be notified, or values are being put back.
  func prepareChange(
    _ observedKey: Unmanaged<ObservedKey>, of subject: AnyObject,
    isManualNotification: Bool = false, completing pair: ManualPair? = nil,
    _ source: OldValueSource, old read: () -> AnyValueBox?
  ) -> Unmanaged<PendingKey>? {
    guard !isRestoring,
      let key = PendingKey.begin(
        at: observedKey, of: subject, in: self, isManualNotification: isManualNotification)
    else { return nil }
    prepareObservers(of: key, completing: pair, source, old: read)
    return key
  }

  /// Prepares the observers that were fixed, those that these register in prior notifications, and late observers.
  ///
  /// - `record`: The record of the value that is put back, which concerns those that were registered after it; nil for a
  ///   change.
  private func prepareObservers(
    of key: Unmanaged<PendingKey>, restoring record: ChangeRecord? = nil,
    completing pair: ManualPair? = nil, _ source: OldValueSource, old read: () -> AnyValueBox?
  ) {
    let others = record == nil && !excluded.isEmpty ? excluded : nil
    let isInPair =
      record == nil && !openPairs.isEmpty && key._withUnsafeGuaranteedRef { self.isInPair(of: $0) }
    func prepareNew() {
      var rounds = 0
      while let change = key._withUnsafeGuaranteedRef({
        $0.nextUnprepared(since: record?.step ?? 0)
      }) {
        // Observers that register others without end are not notified before the change.
        let isLast = rounds >= LoopLimit.generationLimit
        let isPriorSent = change._withUnsafeGuaranteedRef { change in
          if source != .property, source != .setter,
            key._withUnsafeGuaranteedRef({ $0.first !== change })
          {
            change.noteMissedChanges()
          }
          change.sendPriorsAndCapture(
            number: number, excluding: others, completing: pair, sendsPriors: !isLast,
            inPairOf: isInPair ? key : nil, source, old: read)
          return change.isPriorSent
        }
        if isPriorSent, !isLast, key._withUnsafeGuaranteedRef({ $0.fixNewObservers() }) {
          rounds += 1
        }
      }
    }
    prepareNew()
    // Their handlers may set the key, whose observers start from the value before that, and register others, whose
    // handlers may register late observers in turn.
    if lateObservers.isEmpty { return }
    prepareLateObservers(
      of: key.takeUnretainedValue(), restoring: record, excluding: others ?? []
    ) {
      _ = key._withUnsafeGuaranteedRef { $0.fixNewObservers() }
      prepareNew()
    }
  }

  /// Notifies late observers of a change that is about to be made, those included that their prior handlers
  /// register.
  ///
  /// - `prepareNew`: Prepares observers of the key that these handlers have registered.
  private func prepareLateObservers(
    of key: PendingKey, restoring record: ChangeRecord?, excluding others: Set<ObserverIdentity>,
    _ prepareNew: () -> Void
  ) {
    // Observers that register others without end are not notified before the change.
    let limit = lateObservers.count + LoopLimit.generationLimit
    var (index, rounds) = (0, 0)
    while index < lateObservers.count {
      if lateObservers[index].step >= record?.step ?? 0 {
        lateObservers[index].keyWillChange(
          key.observedKey.takeUnretainedValue(), depth: record == nil ? depth : 0,
          excluding: others, sendsPriors: index < limit)
      }
      index += 1
      guard index == lateObservers.count, rounds < LoopLimit.generationLimit else { continue }
      rounds += 1
      prepareNew()
    }
  }

  /// Prepares the observers of a property whose value is about to be put back: those that were registered
  /// since its last change start from the value that it has (P53).
  ///
  /// Returns the key, if it is observed.
  func prepareToRestore(_ record: ChangeRecord) -> PendingKey? {
    guard let observedKey = observedKey(of: record),
      let pending = PendingKey.begin(
        // The class cannot notify them where its setter does not: it is not called, or does not know why.
        at: observedKey, of: record.subject, in: self, isManualNotification: true,
        isRestoring: true)
    else { return nil }
    let key = pending.takeUnretainedValue()
    // Those from before receive nothing of a set that has not notified them (P20).
    prepareObservers(of: pending, restoring: record, .property) { key.presentValue }
    key.forEachChange { if $0.step > record.step { $0.deriveOld { key.presentValue } } }
    return key
  }
}

// The end of the outermost transaction.
extension Transaction {
  /// Delivers the changes of all keys, phase by phase: no observer is called before all values were captured.
  func deliver(on thread: UnsafeMutablePointer<kvo_thread_state>) {
    forEachKey { $0.readNewValue() }
    // Without these, the change of each key is over when its observers have been called.
    let hasOthers = hasDerivedValues || !lateObservers.isEmpty
    if hasPhases || hasOthers { settle() }
    let isInside = thread.pointee.delivery != nil || thread.pointee.ending_transactions > 1
    forEachKey { $0.beginDelivering(isInside: isInside) }
    // From here on, changes that callbacks make of any of the keys wait for these (P48).
    noteDelivering(true)
    forEachKey { $0.deliverToObservers(thread, isLast: !hasOthers) }
    if hasOthers {
      if hasDerivedValues { forEachKey { $0.forEachChange { $0.callDerivedValues(thread) } } }
      for observers in lateObservers { observers.deliver() }
      forEachKey { $0.end() }
    }
    noteDelivering(false)
  }

  /// Evaluates dependents and late observers.
  private func settle() {
    // Getters that are evaluated may set one of the keys, whose observers receive that behind this change (P11, P48).
    noteDelivering(true)
    if hasPhases {
      // Inputs that are in effect first: they give a dependent its reason.
      forEachKey { $0.forEachChange { $0.settle(isTakenBack: false) } }
      forEachKey { $0.forEachChange { $0.settle(isTakenBack: true) } }
    }
    for observers in lateObservers { observers.settle() }
    // Dependents that were attached while the others were evaluated.
    if hasDerivedValues || !lateObservers.isEmpty { forEachKey { $0.catchUp() } }
    noteDelivering(false)
    if hasDerivedValues { forEachKey { $0.forEachChange { $0.abandonUnlessToDeliver() } } }
  }

  /// Lets changes that the thread makes of a key wait for that of the transaction, or no longer.
  @inline(__always)
  private func noteDelivering(_ isDelivering: Bool) {
    deliveringThread.store(
      isDelivering ? UInt(bitPattern: ThreadState.identity) : 0, ordering: .relaxed)
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
    if willStore(entry.name, in: subject) == .record {
      add(PropertyRecord(of: entry, in: subject, old))
    }
  }
}

// Mutation blocks, and edits of collections.
extension Transaction {
  /// Runs `body`, which makes a change that was planned.
  ///
  /// A mutation block is a transaction inside: an error that leaves it takes its changes back (P55).
  func withChange<Subject: KeyValueObservable, Result>(
    of property: KeyValueProperty, in subject: Subject, isManualNotification: Bool,
    as plan: () -> ChangeDescription?, _ body: () throws -> Result
  ) rethrows -> Result {
    guard isManualNotification, rollsBack, !isRestoring else {
      return try makeChange(
        of: property, in: subject, isManualNotification: isManualNotification, as: plan, body)
    }
    return try withKeyValueTransaction {
      try makeChange(of: property, in: subject, isManualNotification: true, as: plan, body)
    }
  }

  private func makeChange<Subject: KeyValueObservable, Result>(
    of property: KeyValueProperty, in subject: Subject, isManualNotification: Bool,
    as plan: () -> ChangeDescription?, _ body: () throws -> Result
  ) rethrows -> Result {
    if isRestoring {
      // An edit of an entry is stored without a setter that would ignore it.
      if let recording = subject as? any ChangeRecording {
        addUnwanted(recording.record(of: property.key))
      }
      _ = plan()
      return try body()
    }
    guard let planned = plan() else { return try body() }
    let observedKey = subject.observedKey(ofChanging: property)
    let former =
      property.kind == .computed || planned.edit == nil && property.mayBeInsideInput
      ? observedKey.flatMap(valueInsideInput) : nil
    let key = observedKey.flatMap {
      prepareChange(
        .passUnretained($0), of: subject, isManualNotification: isManualNotification,
        planned.edit == nil
          ? .property
          : isManualNotification || property.arrayEditedInPlace == nil ? .edits : .editsInPlace
      ) { former ?? property.box(of: subject) }
    }?.takeUnretainedValue()
    // Prior notifications may have changed what is to be changed.
    guard let final = plan() else { return try body() }
    let edit = isManualNotification ? nil : PlannedEdit(final, of: property, in: subject)
    let isEditing = editedKey.map { $0 === observedKey } ?? false
    key?.mark(
      depth, with: final.edit, planned: edit, isEditing: isEditing, adding: { final.new?(subject) })
    let (outer, outerPlanned) = (editedKey, plannedEdit)
    defer { (editedKey, plannedEdit) = (outer, outerPlanned) }
    record(edit, ofProperty: property, of: subject)
    if final.edit != nil { editedKey = observedKey }
    guard isManualNotification, let observedKey else { return try body() }
    // Changes of its inputs are a part of the change.
    let block = MutationBlock(of: property.name, observedKey, in: subject, isOfTransaction: true)
    return try block.run(complete: { _ in }, body)
  }
}

extension Transaction {
  /// The value from which the first change of a computed key itself starts, if the transaction is in a mutation block of
  /// an input (P11), or a deallocation has changed it (P27); nil in an optional if it is unknown.
  private func valueInsideInput(of observedKey: ObservedKey) -> AnyValueBox?? {
    guard pendingKey(at: observedKey) == nil else { return nil }
    return observedKey.anyComputedKey?.outputValueInsideInput()
  }
}

/// The pairs of manual notifications of a key that have begun in a transaction, and are open.
struct OpenPairs {
  /// Keeps the memory of the object, so that no other one has its address.
  let subject: WeakReference
  /// It keeps the name of its key.
  let property: KeyValueProperty
  var count = 0
}

// Pairs of manual notifications.
extension Transaction {
  /// Notes that a pair begins.
  ///
  /// Returns whether prior notifications of the key have been sent, or those of a computed key.
  func beginPair(of property: KeyValueProperty, in subject: some KeyValueObservable) -> Bool {
    recordUnchanged(property, of: subject)
    openPairs[
      RecordKey(property.name, of: subject),
      default: OpenPairs(subject: WeakReference(subject), property: property)
    ].count += 1
    guard let observedKey = subject.observedKey(ofChanging: property) else { return false }
    let key = pendingKey(at: observedKey)
    key?.deriveOldValues()
    return key?.isPriorSent == true
      || observedKey.anyComputedKey?.outputDelivery(of: number) != nil
  }

  /// Whether a pair of a key is open that has begun in the transaction.
  func isInPair(of name: KeyName, of subject: AnyObject) -> Bool {
    !openPairs.isEmpty && openPairs[RecordKey(name, of: subject)] != nil
  }

  private func isInPair(of key: PendingKey) -> Bool {
    let subject = key.first.delivery.pointee.subject.takeUnretainedValue()
    return key.observedKey._withUnsafeGuaranteedRef { isInPair(of: $0.name, of: subject) }
  }

  /// Makes the change of a pair a part of the transaction, unless it was begun before that.
  func endPair(of property: KeyValueProperty, in subject: some KeyValueObservable) {
    if isRestoring { return }
    guard closePair(of: property, in: subject) else {
      // It is a change of its own (P55).
      return whenDelivered { subject.completePair(of: property) }
    }
    if let observedKey = subject.observedKey(ofChanging: property), !observedKey.isInMutationBlock {
      complete(property, of: subject, at: observedKey)
    }
    noteChange(of: property.name, in: subject)
  }

  /// Notes that a pair ends.
  ///
  /// Returns false if it was begun before the transaction.
  private func closePair(
    of property: KeyValueProperty, in subject: some KeyValueObservable
  ) -> Bool {
    let key = RecordKey(property.name, of: subject)
    guard let index = openPairs.index(forKey: key) else { return false }
    // In place, since the table's key has the name that the first call has kept.
    if openPairs.values[index].count > 1 {
      openPairs.values[index].count -= 1
    } else {
      openPairs.remove(at: index)
    }
    return true
  }

  /// Prepares the observers of a key that a pair has changed, and notes the change.
  private func complete(
    _ property: KeyValueProperty, of subject: some KeyValueObservable, at observedKey: ObservedKey
  ) {
    let pair = observedKey.withLock { observedKey.takePairLocked() }
    let present = { property.box(of: subject) }
    guard let pair, let edit = pair.edit else {
      return noteChange(of: pair, at: observedKey, of: subject) { pair?.old ?? present() }
    }
    // The pair has kept the elements of an edit; the collection was another one before it.
    let value = present()
    let collection = value.isNil ? pair.old?.emptied : value
    let former =
      pair.former ?? collection.flatMap { pair.former(of: $0, adding: pair.new?(subject)) }
    noteChange(
      of: pair, at: observedKey, of: subject, editing: former == nil ? nil : edit,
      adding: { pair.exchange?.added ?? pair.new?(subject) }
    ) {
      former ?? present()
    }
  }

  /// Prepares the observers of a key that a pair has changed, and notes the change.
  ///
  /// - `edit`: The edit of the pair, if it is one of a collection whose former value is known.
  /// - `members`: Returns the members that it adds to a set.
  private func noteChange(
    of pair: ManualPair?, at observedKey: ObservedKey, of subject: AnyObject,
    editing edit: Edit? = nil, adding members: () -> AnyValueBox? = { nil },
    old read: () -> AnyValueBox?
  ) {
    let observedKey = Unmanaged.passUnretained(observedKey)
    let key = prepareChange(
      observedKey, of: subject, isManualNotification: true, completing: pair,
      edit == nil ? .property : .edits, old: read)
    let thread = ThreadState.current
    thread.pausingOnly(pair.map(\.pausedHistories) ?? thread.pausedHistories) {
      key?._withUnsafeGuaranteedRef {
        $0.mark(
          depth, with: edit, isEditing: isEditing(observedKey), isOver: pair != nil, adding: members
        )
      }
    }
  }
}
