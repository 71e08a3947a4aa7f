// Putting values back: those of a transaction whose body has thrown, and those of a history.
extension Transaction {
  /// The group of changes that a history takes back in a transaction.
  struct RestoredGroup {
    /// The rank of all values that it puts back (P65).
    let rank: Int
    /// Returns whether the history has a change of an observed key.
    let isRecorded: (ObservedKey) -> Bool
  }

  /// A weak property whose object was deallocated.
  struct LostTarget {
    /// Keeps the observed key, whose name it is.
    let context: ObservationContext
    let name: KeyName
    let key: ObservedKeyIdentity
    /// The transaction in which that was: how many there were.
    var depth: Int
    /// The steps that came before.
    let step: Int
    /// Whether a rollback has not been able to put it back.
    var isReported = false
  }

  /// The values that are being put back.
  struct RollbackState {
    /// Whether a value is.
    var isActive = false
    /// Whether a history puts it back.
    var isOfHistory = false
    /// The record whose value is about to be put back by a setter.
    var record: ChangeRecord?
    /// The values of properties that were mutated in place meanwhile.
    var unwanted: [ChangeRecord] = []
  }

  /// The observed keys that a rollback has not been able to put back, with the depth of the next transaction around it
  /// that has a former value of them and may; 0 if none has.
  typealias UnrestoredKeys = [ObservedKeyIdentity: Int]

  /// The outcome of putting values back.
  private struct Restoration {
    /// The records whose values could not be put back.
    var unrestored: [ChangeRecord] = []
    /// The observed keys of these.
    var unrestoredKeys = UnrestoredKeys()
    /// The weak properties that get back an object from before the one that was deallocated, once for each of these.
    var regainedKeys: [ObservedKeyIdentity] = []
    /// The other observed keys, if derived values depend on what was changed.
    var restoredKeys: [PendingKey] = []
  }

  var isRestoring: Bool { rollback.isActive }

  /// Whether a history is putting a value back.
  var isRestoringHistory: Bool { rollback.isActive && rollback.isOfHistory }

  /// Puts back what the innermost transaction has changed.
  func rollBack() {
    // The level stays until all has been put back: `didSet` and handlers may open transactions.
    let wasOpen = collectingSources.isOpen
    endCollecting()
    var outcome = Restoration()
    if !lostTargets.isEmpty { takeLostTargets(&outcome) }
    var passes = 0
    repeat {
      restoreRecords(&outcome)
      passes += 1
      // Changes that sources report now are put back as well. Sources that go on without end no longer collect, and
      // their reports have no effect while values are put back.
      if passes == LoopLimit.generationLimit { collectingSources.isOpen = false }
      endCollecting()
    } while records.count > firstRecord || !collectingSources.isEmpty
    // Not before: observers that are prepared meanwhile have found the object.
    for key in outcome.regainedKeys { deallocatedTargets[key]?.count -= 1 }
    // The outermost transaction ends without another call of `endCollecting()`.
    collectingSources.isOpen = wasOpen && depth > 1
    takeBackMarks(except: outcome.unrestoredKeys)
    for observers in lateObservers {
      observers.takeBack(from: depth, except: outcome.unrestoredKeys)
    }
    report(outcome.unrestored)
    merge()
    // With all values back, no path moves that has not moved in the transaction.
    for key in outcome.restoredKeys { key.letDerivedValuesFollow() }
    for observers in lateObservers { observers.valuesWereRestored() }
  }

  /// Puts back the values that the innermost transaction has recorded, the last change first.
  private func restoreRecords(_ outcome: inout Restoration) {
    var rounds = 0
    var leastCount = records.count
    while records.count > firstRecord, let record = records.last {
      if records.count < leastCount { (leastCount, rounds) = (records.count, 0) }
      // Prior notifications are no longer sent where their handlers keep setting something.
      let key = rounds < LoopLimit.generationLimit ? prepareToRestore(record) : nil
      if records.last !== record {
        // Prior handlers have set something, which is put back before.
        rounds += 1
        continue
      }
      // A path through a key whose setter does not notify follows it, as it follows the setter (P20, P25).
      if restore(record, isObserved: key?.isPrepared ?? false) {
        if let key {
          noteRestored(record, at: key)
          if hasDerivedValues { outcome.restoredKeys.append(key) }
        }
        if !lateObservers.isEmpty { noteRestoredForLateObservers(record) }
      } else {
        outcome.unrestored.append(record)
        if let key = observedKey(of: record) {
          outcome.unrestoredKeys[ObservedKeyIdentity(key.toOpaque())] = record.outerDepth
        }
      }
      records.retire(record)
    }
  }

  /// Puts a value back, while setters that it calls change nothing else.
  ///
  /// - `isObserved`: Whether the observers of the property were prepared.
  private func restore(_ record: ChangeRecord, isObserved: Bool) -> Bool {
    advanceStateVersion()
    // A setter that it calls may open a transaction that empties a history, and is rolled back.
    let (isInside, outer) = (rollback.isActive, rollback.record)
    (rollback.isActive, rollback.record) = (true, record.isRestoredBySetter ? record : nil)
    defer { (rollback.isActive, rollback.record) = (isInside, outer) }
    let isRestored = putBack(record)
    if !rollback.unwanted.isEmpty, !isInside { takeBackUnwanted() }
    // A path that was registered in `willSet` may be attached to the object that was just replaced.
    if !isObserved,
      let context = observableObject(record.subject)?.existingContext
    {
      KeyValueRegistrar.catchUpObserved(record.name, in: context)
    }
    return isRestored
  }

  /// The key of a recorded property, if it is observed.
  func observedKey(of record: ChangeRecord) -> Unmanaged<ObservedKey>? {
    observableObject(record.subject)?.existingContext?
      ._withUnsafeGuaranteedRef { $0.keyWithObservers(named: record.name) }
  }

  /// Notes that a value was put back, for observers that have found the one that it has replaced.
  ///
  /// Their change is not taken back with a transaction around this one, which never had that value.
  private func noteRestored(_ record: ChangeRecord, at key: PendingKey) {
    key.forEachChange { change in
      guard change.step > record.step else { return }
      change.mark(0, in: self, forLateObserversOnly: true)
      change.noteRestored()
      change.notifyOfRestoredValue()
    }
  }

  /// The same for observers of computed keys, which may have stopped reading the property since.
  private func noteRestoredForLateObservers(_ record: ChangeRecord) {
    guard let context = observableObject(record.subject)?.existingContext,
      let key = context._withUnsafeGuaranteedRef({ $0.observedKey(named: record.name) })
    else { return }
    for observers in lateObservers where observers.step >= record.step {
      observers.keyWasRestored(ObservedKeyIdentity(key.toOpaque()))
    }
  }

  private func putBack(_ record: ChangeRecord) -> Bool {
    record.notifyingTracker { record.restore { keptValues.append($0) } }
  }

  /// Keeps the value of a property that `didSet` mutates in place while values are put back, which nothing can
  /// prevent.
  func addUnwanted(_ record: ChangeRecord) { rollback.unwanted.append(record) }

  /// Takes back what `didSet` has mutated in place, and what the setters that do so mutate in turn.
  private func takeBackUnwanted() {
    var rounds = 0
    while !rollback.unwanted.isEmpty, rounds < LoopLimit.generationLimit {
      let records = rollback.unwanted
      rollback.unwanted = []
      rounds += 1
      for record in records.reversed() {
        rollback.record = record
        _ = putBack(record)
        self.records.keep(record)
      }
    }
    rollback.unwanted = []
  }

  /// An edit by which a collection becomes what it was, with the members that it adds to a set.
  typealias OppositeEdit = (edit: Edit, added: AnyValueBox?)

  /// Gives a property a value that it has had, as a change of the transaction.
  ///
  /// Sets in `willSet` and `didSet` of the property have no effect meanwhile, as in a rollback (P50).
  ///
  /// - `edits`: The edits by which a collection becomes what it was; empty for any other change.
  func putBack(
    _ value: AnyValueBox, to property: KeyValueProperty, of subject: some KeyValueObservable,
    by edits: [OppositeEdit]
  ) {
    let observedKey = subject.existingContext?._withUnsafeGuaranteedRef {
      $0.keyWithObservers(named: property.name)
    }?.takeUnretainedValue()
    if let observedKey {
      willPutBack(property, of: subject, by: edits, at: observedKey)
      // Bindings do not write between values that are put back together.
      if let restoredGroup { setRank(restoredGroup.rank, of: observedKey) }
    }
    let record =
      (subject as? any EntryRecording)?
      .record(of: property.key, having: value is MissingEntryBox ? nil : value)
      ?? PropertyRecord(of: property, in: subject, value)
    let action = willStore(property.name, in: subject)
    rollback.isOfHistory = true
    _ = restore(record, isObserved: observedKey != nil)
    rollback.isOfHistory = false
    if action == .record { add(record) } else { records.keep(record) }
  }

  /// Prepares the observers of a property that is about to be put back, and notes the change.
  private func willPutBack(
    _ property: KeyValueProperty, of subject: some KeyValueObservable, by edits: [OppositeEdit],
    at observedKey: ObservedKey
  ) {
    // Also of a key whose setter does not notify: it has been notified of what is taken back.
    let key = prepareChange(
      .passUnretained(observedKey), of: subject, isManualNotification: true,
      edits.isEmpty ? .property : .edits
    ) { property.box(of: subject) }?.takeUnretainedValue()
    guard let key else { return }
    // The value is put back over what prior handlers have done to a collection, so it is not only edited.
    if edits.isEmpty || key.isChanged { return key.mark(depth, with: nil) }
    for (edit, added) in edits { key.mark(depth, with: edit, adding: { added }) }
  }

  /// Notes that the object in a weak property was deallocated, after a number of steps.
  func addLostTarget(of key: ObservedKey, at step: Int) {
    lostTargets.append(
      LostTarget(
        context: key.context, name: key.name, key: key.identity, depth: depth, step: step))
  }

  /// Makes the deallocations in the transaction that has ended a part of the one around it.
  func mergeLostTargets() {
    for index in lostTargets.indices {
      lostTargets[index].depth = min(lostTargets[index].depth, depth)
    }
  }

  /// Takes the weak properties that the innermost transaction cannot put back, because their objects are gone.
  ///
  /// The former object of one that was set before is kept, and put back: observers have never received the one that was
  /// deallocated.
  private func takeLostTargets(_ outcome: inout Restoration) {
    let targets = lostTargets
    lostTargets = []
    for var target in targets {
      if target.depth < depth {
        lostTargets.append(target)
        continue
      }
      guard let subject = target.context.lock.withLock({ target.context.subject }) else { continue }
      // The last set before it was deallocated.
      var record = record(of: target.name, in: subject)
      while let later = record, later.step > target.step {
        record = later.outer?.takeUnretainedValue()
      }
      if let record, Int(record.depth) == depth {
        outcome.regainedKeys.append(target.key)
        continue
      }
      outcome.unrestoredKeys[target.key] = record.map { Int($0.depth) } ?? 0
      if !target.isReported {
        outcome.unrestored.append(UnrestorableRecord(of: target.name, in: subject))
      }
      if record == nil { continue }
      // A rollback around this one may take back the set.
      target.isReported = true
      lostTargets.append(target)
    }
  }

  private func report(_ records: [ChangeRecord]) {
    guard let last = records.last else { return }
    // Properties of many objects are named once.
    var reported: Set<RecordKey> = []
    let unique = records.reversed().filter {
      reported.insert(RecordKey($0.name, ofInstancesOf: type(of: $0.subject))).inserted
    }
    KeyValueDiagnostics.report(
      .unrestoredValue(
        type: type(of: last.subject), key: last.name.key,
        others: unique.dropFirst().map { (type(of: $0.subject), $0.name.key) }))
  }
}
