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
  /// The innermost level.
  @exclusivity(unchecked)
  private var level = Level()
  /// The levels around it, the outermost first.
  @exclusivity(unchecked)
  private var outerLevels: [Level] = []
  @exclusivity(unchecked)
  private var records = ChangeRecords()
  /// The observed keys that were changed, in the order of their first changes.
  @exclusivity(unchecked)
  private(set) var pendingKeys: [PendingKey] = []
  /// The deliveries that were marked as changed, level by level.
  @exclusivity(unchecked)
  private var marks: [PendingDelivery] = []
  /// Deliveries of former transactions, which are not in use.
  @exclusivity(unchecked)
  private var spareDeliveries: [PendingDelivery] = []
  @exclusivity(unchecked)
  private(set) var lateObservers: [LateObservers] = []
  /// The bindings of which a side changes.
  @exclusivity(unchecked)
  private(set) var bindings: [any SynchronizedSides] = []
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
  var openPairs: [OpenPair] = []
  /// Values that are kept until the end.
  @exclusivity(unchecked)
  var keptValues: [AnyValueBox] = []
  @exclusivity(unchecked)
  private(set) var isRestoring = false
  /// The values of properties that were mutated in place while others were put back.
  @exclusivity(unchecked)
  private var unwanted: [ChangeRecord] = []
  /// The record whose value is about to be put back by a setter.
  @exclusivity(unchecked)
  private var restored: ChangeRecord?

  /// How many levels there are.
  @exclusivity(unchecked)
  private(set) var depth = 0
  /// The number of the innermost level, which is another one whenever a change of a key that has changed in the
  /// level may have more to note than its step.
  @exclusivity(unchecked)
  @usableFromInline
  private(set) var levelNumber: UInt = 0
  /// Whether values are recorded now, because the transaction is rolled back if its body throws, or one around
  /// it is.
  @exclusivity(unchecked)
  private(set) var isRecording = false
  /// Whether computed keys or paths depend on what was changed, or prior notifications were sent.
  @exclusivity(unchecked)
  private(set) var hasPhases = false

  /// The observers under whose names changes are made.
  @exclusivity(unchecked)
  private(set) var excluded: Set<ObserverIdentity> = []

  /// Lets an observer be notified that has the address of one that is gone.
  func endExclusion(of observer: ObserverIdentity) {
    excluded.remove(observer)
    level.outerExcluded?.remove(observer)
    for index in outerLevels.indices { outerLevels[index].outerExcluded?.remove(observer) }
    makeLevelNumber()
  }

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
    if changeNumber == 0 { changeNumber = ThreadState.makeChangeNumber() }
    return changeNumber
  }

  private func makeLevelNumber() { levelNumber &+= 1 }

  func makeStep() -> Int {
    stepCount += 1
    return stepCount
  }

  // MARK: Reuse

  /// Whether it has not got more memory than most transactions need.
  var isSmall: Bool {
    max(records.capacity, pendingKeys.capacity, marks.capacity) <= 64
  }

  /// Releases what the transaction has kept, which may run code of a user.
  private func reset() {
    records.removeAll()
    if !marks.isEmpty { marks.removeEach() }
    if !pendingKeys.isEmpty { resetKeys() }
    if !lateObservers.isEmpty { lateObservers = [] }
    if !bindings.isEmpty { bindings = [] }
    if !conclusions.isEmpty { conclusions = [] }
    if !openPairs.isEmpty { openPairs = [] }
    if !keptValues.isEmpty { keptValues = [] }
    editedKey = nil
    hasPhases = false
    stepCount = 0
    changeNumber = 0
  }

  private func resetKeys() {
    for key in pendingKeys where spareDeliveries.count < Self.spareLimit {
      key.forEachDelivery {
        guard spareDeliveries.count < Self.spareLimit else { return }
        $0.reset()
        spareDeliveries.append($0)
      }
    }
    pendingKeys.removeEach()
  }

  private static var spareLimit: Int { 8 }

  // MARK: Beginning and ending

  /// Begins a transaction on the running thread, inside of the one that is open.
  static func begin(rollsBack: Bool, without observations: [KeyValueObservation]) {
    let transaction: Transaction
    if let current {
      transaction = current
    } else {
      transaction = takeSpare() ?? Transaction()
      ThreadState.current.pointee.transaction = Unmanaged.passRetained(transaction).toOpaque()
      kvo_transaction_began()
    }
    transaction.beginLevel(rollsBack: rollsBack, without: observations)
  }

  private func beginLevel(rollsBack: Bool, without observations: [KeyValueObservation]) {
    if depth > 0 { outerLevels.append(level) }
    level = Level(
      isInRecording: isRecording, outerExcluded: observations.isEmpty ? nil : excluded,
      firstRecord: records.count, firstMark: marks.count)
    depth += 1
    makeLevelNumber()
    if rollsBack { isRecording = true }
    if !observations.isEmpty { excluded.formUnion(observations.flatMap(\.observers)) }
  }

  /// Ends the innermost transaction of the running thread.
  static func end(rollingBack isRollback: Bool) {
    guard let transaction = current else { return }
    if transaction.depth == 1, !isRollback, !transaction.bindings.isEmpty {
      // Reads of bindings are no dependencies of a getter around the transaction.
      ThreadState.pauseRecording { transaction.synchronizeBindings() }
    }
    if isRollback { transaction.rollBack() } else { transaction.merge() }
    if transaction.depth > 0 { return }
    ThreadState.current.pointee.transaction = nil
    kvo_transaction_ended()
    if transaction.hasToConclude {
      ThreadState.current.withEndingTransaction { transaction.conclude() }
    }
    transaction.reset()
    keepSpare(.passUnretained(transaction))
  }

  /// Makes what the innermost transaction has changed a part of the one around it.
  private func merge() {
    let level = level
    self.level = outerLevels.popLast() ?? Level()
    depth -= 1
    makeLevelNumber()
    isRecording = level.isInRecording
    if let outerExcluded = level.outerExcluded { excluded = outerExcluded }
    records.merge(from: level.firstRecord, into: depth, isRecording: isRecording)
    for mark in marks[level.firstMark...] { mark.merge(into: depth) }
  }

  /// Puts back what the innermost transaction has changed.
  private func rollBack() {
    // The level stays until all has been put back: `didSet` and handlers may open transactions.
    let level = level
    var unrestored: [ChangeRecord] = []
    var unrestoredKeys: [PendingKey] = []
    var rounds = 0
    var leastCount = records.count
    while records.count > level.firstRecord, let record = records.last {
      if records.count < leastCount { (leastCount, rounds) = (records.count, 0) }
      // Handlers that set without end are not notified before the value is put back.
      let key = rounds < LoopLimit.generationLimit ? prepareToRestore(record) : nil
      if records.last !== record {
        // Prior handlers have set something, which is put back before.
        rounds += 1
        continue
      }
      if !restore(record) {
        unrestored.append(record)
        if let key { unrestoredKeys.append(key) }
      }
      records.retire(record)
      makeLevelNumber()
    }
    for mark in marks[level.firstMark...] { mark.takeBack(from: depth) }
    marks.removeSubrange(level.firstMark...)
    for key in unrestoredKeys { key.mark(depth - 1) }
    report(unrestored)
    merge()
  }

  /// Puts a value back, while setters that it calls change nothing else.
  private func restore(_ record: ChangeRecord) -> Bool {
    let isOutermost = !isRestoring
    let outer = (isRestoring, restored)
    (isRestoring, restored) = (true, record.isRestoredBySetter ? record : nil)
    defer { (isRestoring, restored) = outer }
    let isRestored = record.notifyingTracker { record.restore() }
    if isOutermost, !unwanted.isEmpty { takeBackUnwanted() }
    return isRestored
  }

  /// Keeps the value of a property that `didSet` mutates in place while values are put back, which nothing can
  /// prevent.
  func addUnwanted(_ record: ChangeRecord) { unwanted.append(record) }

  /// Takes back what `didSet` has mutated in place, and what the setters that do so mutate in turn.
  private func takeBackUnwanted() {
    var rounds = 0
    while !unwanted.isEmpty, rounds < LoopLimit.generationLimit {
      let records = unwanted
      unwanted = []
      rounds += 1
      for record in records.reversed() {
        restored = record
        _ = record.notifyingTracker { record.restore() }
        self.records.keep(record)
      }
    }
    unwanted = []
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
      // Also of a key whose setter does not notify: it has been notified of what is taken back.
      for edit in edits.isEmpty ? [nil] : edits.map(Optional.some) {
        willChange(observedKey, of: subject, isManualNotification: true, editing: edit) {
          property.box(of: subject)
        }
      }
    }
    // Bindings do not write between values that are put back together.
    if let observedKey = subject.existingKey(of: property) { setRank(rank, of: observedKey) }
    let record = PropertyRecord(of: property, in: subject, value)
    let decision = decision(of: property.name, in: subject)
    _ = restore(record)
    if decision == .record { add(record) } else { records.keep(record) }
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
    guard isRecording else { return .store }
    return records.record(of: name, in: subject)?._withUnsafeGuaranteedRef { record in
      guard record.depth == depth else { return .record }
      if record.step == ChangeRecord.stepOfUnchanged { record.step = makeStep() }
      return .store
    } ?? .record
  }

  /// The innermost record of a property.
  func record(of name: KeyName, in subject: AnyObject) -> ChangeRecord? {
    records.record(of: name, in: subject)?.takeUnretainedValue()
  }

  /// Keeps the former value of a property, unless a change that came before has recorded one.
  @usableFromInline
  func add(_ record: ChangeRecord) { records.add(record, at: depth, step: makeStep()) }

  // MARK: Pending keys

  func append(_ key: PendingKey) { pendingKeys.append(key) }

  func makeDelivery(_ delivery: Delivery, of computedKey: Registration?) -> PendingDelivery {
    let made = spareDeliveries.popLast() ?? PendingDelivery()
    made.begin(delivery, of: computedKey, step: makeStep())
    if made.hasPhases { hasPhases = true }
    return made
  }

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
