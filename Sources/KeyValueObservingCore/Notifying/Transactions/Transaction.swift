public import CKeyValueObserving

/// The changes that a thread makes between the beginning of its outermost transaction and its end.
///
/// # Life of a transaction
///
/// 1. **Change.** A change of an observed key begins as every change does: the observers are fixed, prior
///    notifications are sent, dependents capture their old values (`willChange`). It is not delivered: the key
///    is *pending* until the end (`PendingKey`), and further changes of it only store. The value that a
///    property had before its first change is recorded (`ChangeRecord`), whether it is observed or not.
/// 2. **End of a nested transaction.** Its records become a part of the one around it, unless its body has
///    thrown: then its values are put back.
/// 3. **End.** All dependents are evaluated (`settle`), then all observers are called: those of the keys in
///    the order of their first changes, then computed keys and paths (`deliver`). From then on the thread has
///    no transaction, so callbacks make changes as ever.
///
/// All changes of a transaction have one number, so that a dependent of several keys finds the change that
/// it has begun with the first of them, and has one.
@usableFromInline
final class Transaction {
  /// One `withKeyValueTransaction` that is running.
  struct Level {
    /// Whether values are recorded, because it is rolled back if its body throws, or one around it is.
    let isRecording: Bool
    /// The observers under whose names changes are made.
    let excluded: Set<ObserverIdentity>
    let firstRecord: Int
    let firstMark: Int
  }

  @exclusivity(unchecked)
  private(set) var levels: [Level] = []
  @exclusivity(unchecked)
  private(set) var records: [ChangeRecord] = []
  /// The records that are no longer needed, which keep what was changed until the end (P54).
  @exclusivity(unchecked)
  private var formerRecords: [ChangeRecord] = []
  @exclusivity(unchecked)
  private var recordsByKey: [RecordKey: Unmanaged<ChangeRecord>] = [:]
  /// The observed keys that were changed, in the order of their first changes.
  @exclusivity(unchecked)
  private(set) var pendingKeys: [PendingKey] = []
  /// The deliveries that were marked as changed, level by level.
  @exclusivity(unchecked)
  private var marks: [PendingDelivery] = []
  @exclusivity(unchecked)
  private(set) var lateObservers: [LateObservers] = []
  /// The bindings of which a side changes.
  @exclusivity(unchecked)
  private(set) var bindings: [any SynchronizedSides] = []
  /// The ranks that bindings have given to keys, each until a set after a step.
  @exclusivity(unchecked)
  var givenRanks: [ObjectIdentifier: (rank: Int, step: Int)] = [:]
  @exclusivity(unchecked)
  private(set) var stepCount = 0
  @exclusivity(unchecked)
  private var changeNumber: UInt64 = 0
  /// Run when all changes have been delivered: notifications of deallocations.
  @exclusivity(unchecked)
  private var conclusions: [() -> Void] = []
  /// The key whose collection is being edited, by which it is set.
  @exclusivity(unchecked)
  var editedKey: ObservedKey?
  /// The pairs of manual notifications that have begun in the transaction.
  @exclusivity(unchecked)
  var openPairs: [RecordKey] = []
  /// Values that are kept until the end.
  @exclusivity(unchecked)
  var keptValues: [AnyValueBox] = []
  @exclusivity(unchecked)
  private(set) var isRestoring = false
  /// The record whose value is about to be put back by a setter.
  @exclusivity(unchecked)
  private var restored: ChangeRecord?

  var depth: Int { levels.count }

  /// The observers under whose names changes are made.
  var excluded: Set<ObserverIdentity> { levels.last?.excluded ?? [] }

  /// The transaction that is open on the running thread.
  static var current: Transaction? {
    ThreadState.current.pointee.transaction.map {
      Unmanaged<Transaction>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The transaction to which a change of an object on the running thread belongs.
  ///
  /// An object that is being deallocated cannot be kept until the end (P54).
  @usableFromInline
  static func current(of subject: AnyObject) -> Transaction? {
    guard let current else { return nil }
    let isDeallocating = kvo_is_deallocating(Unmanaged.passUnretained(subject).toOpaque())
    return isDeallocating ? nil : current
  }

  /// Whether a change of an object belongs to a transaction of the running thread.
  @inlinable
  @inline(__always)
  static func concerns(_ subject: AnyObject) -> Bool {
    kvo_has_transactions() && current(of: subject) != nil
  }

  /// The number of all its changes.
  @usableFromInline
  var number: UInt64 {
    if changeNumber == 0 { changeNumber = ThreadState.makeChange() }
    return changeNumber
  }

  func makeStep() -> Int {
    stepCount += 1
    return stepCount
  }

  // MARK: Beginning and ending

  /// Begins a transaction on the running thread, inside of the one that is open.
  static func begin(rollsBack: Bool, without observations: [KeyValueObservation]) {
    let transaction: Transaction
    if let current {
      transaction = current
    } else {
      transaction = Transaction()
      ThreadState.current.pointee.transaction = Unmanaged.passRetained(transaction).toOpaque()
      kvo_transaction_began()
    }
    transaction.levels.append(
      Level(
        isRecording: rollsBack || transaction.levels.last?.isRecording == true,
        excluded: observations.isEmpty
          ? transaction.excluded
          : transaction.excluded.union(observations.flatMap(\.observers)),
        firstRecord: transaction.records.count, firstMark: transaction.marks.count))
  }

  /// Ends the innermost transaction of the running thread.
  static func end(rollingBack isRollback: Bool) {
    guard let transaction = current else { return }
    if transaction.depth == 1, !isRollback, !transaction.bindings.isEmpty {
      transaction.synchronizeBindings()
    }
    if isRollback { transaction.rollBack() } else { transaction.merge() }
    if transaction.depth > 0 { return }
    ThreadState.current.pointee.transaction = nil
    kvo_transaction_ended()
    if transaction.hasToConclude {
      ThreadState.current.withEndingTransaction { transaction.conclude() }
    }
    Unmanaged.passUnretained(transaction).release()
  }

  /// Makes what the innermost transaction has changed a part of the one around it.
  private func merge() {
    let level = levels.removeLast()
    let depth = depth
    // A transaction that keeps its changes at an error may be in one that does not.
    let isKept = levels.last?.isRecording ?? false
    var kept = level.firstRecord
    for index in level.firstRecord..<records.count {
      let record = records[index]
      if isKept, record.outer?.depth != depth {
        record.depth = depth
        records[kept] = record
        kept += 1
      } else {
        replace(record, by: record.outer)
      }
    }
    if depth > 0 {
      // Their values live until the end (P54): what ends with them may change something.
      formerRecords += records[kept...]
      records.removeSubrange(kept...)
    }
    for mark in marks[level.firstMark...] { mark.merge(into: depth) }
  }

  /// Puts back what the innermost transaction has changed.
  private func rollBack() {
    // The level stays until all has been put back: `didSet` and handlers may open transactions.
    guard let level = levels.last else { return }
    var unrestored: [ChangeRecord] = []
    for index in (level.firstRecord..<records.count).reversed() {
      let record = records[index]
      let key = prepareToRestore(record, into: depth - 1)
      if !restore(record) {
        unrestored.append(record)
        key?.mark(depth - 1)
      }
      replace(record, by: record.outer)
    }
    formerRecords += records[level.firstRecord...]
    records.removeSubrange(level.firstRecord...)
    for mark in marks[level.firstMark...] { mark.takeBack(from: depth) }
    marks.removeSubrange(level.firstMark...)
    report(unrestored)
    merge()
  }

  /// Puts a value back, while setters that it calls change nothing else.
  private func restore(_ record: ChangeRecord) -> Bool {
    let outer = (isRestoring, restored)
    (isRestoring, restored) = (true, record.isRestoredBySetter ? record : nil)
    defer { (isRestoring, restored) = outer }
    return record.notifyingTracker { record.restore() }
  }

  /// Gives a property a value that it has had, as a change of the transaction.
  ///
  /// Sets in `willSet` and `didSet` of the property have no effect meanwhile, as in a rollback (P50).
  ///
  /// - `edits`: The edits by which a collection becomes what it was; empty for any other change.
  func putBack(
    _ value: AnyValueBox, to property: KeyValueProperty, of subject: some KeyValueObservable,
    by edits: [Edit], rank: Int
  ) {
    if let observedKey = subject.madeObservationContext?._withUnsafeGuaranteedRef({
      $0.keyWithObservers(named: property.name)
    })?.takeUnretainedValue() {
      let read = { property.box(of: subject) }
      if edits.isEmpty { willChange(observedKey, of: subject, old: read) }
      for edit in edits { willChange(observedKey, of: subject, editing: edit, old: read) }
    }
    // Bindings do not write between values that are put back together.
    if let observedKey = subject.existingKey(of: property) { setRank(rank, of: observedKey) }
    let record = PropertyRecord(of: property, in: subject, value)
    let decision = decision(of: property.name, in: subject)
    _ = restore(record)
    if decision == .record { add(record) } else { formerRecords.append(record) }
  }

  private func report(_ records: [ChangeRecord]) {
    guard let last = records.last else { return }
    var reported: Set<RecordKey> = []
    let unique = records.reversed().filter { reported.insert($0.key).inserted }
    KeyValueDiagnostics.report(
      .unrestoredValue(
        type: type(of: last.subject), key: last.name.key,
        others: unique.dropFirst().map { (type(of: $0.subject), $0.name.key) }))
  }

  private func replace(_ record: ChangeRecord, by other: ChangeRecord?) {
    recordsByKey[record.key] = other.map(Unmanaged.passUnretained)
  }

  // MARK: Recording

  /// The task of a setter.
  @usableFromInline
  enum Decision {
    /// Store the value, and record the former one.
    case record
    /// Store the value.
    case store
    /// Nothing: values are being put back, and what `didSet` sets meanwhile would overwrite them (P50).
    case ignore
  }

  /// Whether the first change of a property in the innermost transaction has been recorded.
  @usableFromInline
  func decision(of name: KeyName, in subject: AnyObject) -> Decision {
    if isRestoring {
      guard let record = restored, record.subject === subject, record.name == name else {
        return .ignore
      }
      // Only the set that puts the value back: not what its `didSet` sets.
      restored = nil
      return .store
    }
    guard levels.last?.isRecording == true else { return .store }
    return record(of: name, in: subject)?.depth == depth ? .store : .record
  }

  private func record(of name: KeyName, in subject: AnyObject) -> ChangeRecord? {
    recordsByKey[RecordKey(object: ObjectIdentifier(subject), name: name)]?
      .takeUnretainedValue()
  }

  /// Keeps the former value of a property, unless a change that came before has recorded one.
  @usableFromInline
  func add(_ record: ChangeRecord) {
    let outer = recordsByKey[record.key]?.takeUnretainedValue()
    record.depth = depth
    recordsByKey[record.key] = .passUnretained(record)
    if let outer, outer.depth == depth, let index = records.lastIndex(where: { $0 === outer }) {
      // It was added while the value was stored, by a set in `didSet`, so this one is older.
      record.outer = outer.outer
      record.step = outer.step
      records[index] = record
      formerRecords.append(outer)
    } else {
      record.outer = outer
      record.step = makeStep()
      records.append(record)
    }
  }

  // MARK: Pending keys

  func append(_ key: PendingKey) { pendingKeys.append(key) }

  func append(_ mark: PendingDelivery) { marks.append(mark) }

  func append(_ observers: LateObservers) { lateObservers.append(observers) }

  func append(_ binding: any SynchronizedSides) { bindings.append(binding) }

  func append(_ conclusion: @escaping () -> Void) { conclusions.append(conclusion) }

  // MARK: Ending

  /// Whether observers, or what was put off, wait for the end.
  private var hasToConclude: Bool { !pendingKeys.isEmpty || !conclusions.isEmpty }

  /// Delivers the changes, and then what was put off until then.
  private func conclude() {
    ThreadState.pauseRecording {
      deliver()
      for conclude in conclusions { conclude() }
    }
  }
}
