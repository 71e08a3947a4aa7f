internal import CKeyValueObserving
internal import Synchronization

/// The changes that a thread makes between the beginning of its outermost transaction and its end.
///
/// # Life of a transaction
///
/// 1. **Change.** A change of an observed key begins as every change does: the observers are fixed
///    (`beginChange`), prior notifications are sent, dependents capture their old values (`prepareObservers`). It is
///    not delivered: the key is *pending* until the end (`PendingKey`), and further changes of it only store. The
///    value that a property had before its first change is recorded (`ChangeRecord`), whether it is observed or not.
/// 2. **End of a nested transaction.** Its records become a part of the one around it, unless its body has
///    thrown: then its values are put back.
/// 3. **End.** Sources deliver the notifications that their objects have collected (`endCollecting`), and bindings
///    write sides that were set to the other ones (`synchronizeBindings`). Then the thread has no transaction any
///    more, so callbacks make changes as ever. All dependents are evaluated (`settle`), then
///    all observers are called: those of the keys in the order of their first changes, then computed keys and
///    paths (`deliver`).
///
/// Every way in of a change asks for a transaction first, and enters it here. If none is open, a change of a bound key
/// begins one for itself (`beginTransactionIfBound`), and then enters it:
///
/// | Way in | Prepares observers | Puts the value back |
/// | --- | --- | --- |
/// | setter of the macro (`_$set`, `_$setReadingBack`) | `beginSet` | by its closure: `StorageRecord` |
/// | setter of a hand-written class, weak property, entry | `set` | by the property's setter: `PropertyRecord` |
/// | unowned property | `willChange`, `setUnrestorably` | not: `UnrestorableRecord` (P51) |
/// | exchange of a dictionary's entry | `exchange` | the dictionary: `ChangeRecording` |
/// | mutation in place | `willMutate` | by the property's setter |
/// | mutation block, edit by proxy | `withChange` | by the setter, or by the opposite edits: `EditRecord` |
/// | manual pair | `beginPair`, `complete` | by the setter, if there is one |
/// | report of a source | `didChange` | by the setter |
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
  var records = ChangeRecords()
  /// The observed keys that were changed, in the order of their first changes.
  @exclusivity(unchecked)
  private var pendingKeys = RetainedArray<PendingKey>()
  /// Pending keys of former transactions, which are not in use.
  @exclusivity(unchecked)
  private var spareKeys = RetainedArray<PendingKey>()
  /// The changes that were marked inside of the outermost level, level by level, which the pending
  /// keys keep.
  @exclusivity(unchecked)
  private var markedChanges: [Unmanaged<PendingChange>] = []
  @exclusivity(unchecked)
  private(set) var lateObservers: [LateObservers] = []
  /// The bindings of which a side changes.
  @exclusivity(unchecked)
  private(set) var bindings: [any SynchronizedSides] = []
  /// Whether a binding has written a side of others that knew of the transaction before.
  @exclusivity(unchecked)
  var hasChangedBoundSides = false
  @exclusivity(unchecked)
  private(set) var stepCount = 0
  @exclusivity(unchecked)
  private var changeNumber: UInt64 = 0
  /// Run when all changes have been delivered: notifications of deallocations.
  @exclusivity(unchecked)
  private var conclusions: [() -> Void] = []
  /// The weak properties whose objects were deallocated.
  @exclusivity(unchecked)
  var deallocatedTargets: [ObservedKeyIdentity: DeallocatedTargets] = [:]
  /// Those that a rollback may not be able to put back.
  @exclusivity(unchecked)
  var lostTargets: [LostTarget] = []
  /// The keys of which a change is delivered to all their observers, where that matters for a deallocation.
  @exclusivity(unchecked)
  var keysWithAllNotified: Set<ObservedKeyIdentity> = []
  /// The key whose collection is being edited, by which it is set.
  @exclusivity(unchecked)
  var editedKey: ObservedKey?
  /// The edit by proxy that is about to be made, until it is recorded.
  @exclusivity(unchecked)
  var plannedEdit: PlannedEdit?
  /// The pairs of manual notifications that have begun in the transaction.
  @exclusivity(unchecked)
  var openPairs: [RecordKey: OpenPairs] = [:]
  /// Values that are kept until the end.
  @exclusivity(unchecked)
  var keptValues: [AnyValueBox] = []
  /// The values that are being put back.
  @exclusivity(unchecked)
  var rollback = RollbackState()
  /// The sources whose objects do not notify until the body has ended.
  @exclusivity(unchecked)
  var collectingSources = CollectingSources()
  /// The group that a history takes back in it, if it does.
  @exclusivity(unchecked)
  var restoredGroup: RestoredGroup?

  /// How many levels there are.
  @exclusivity(unchecked)
  private(set) var depth = 0
  /// Changes whenever the next set of a key that was set before has more to note than its step: at the beginning and the
  /// end of a level, when a value is put back, and when observers are registered late.
  ///
  /// A set of another version does not take the fast path of `PendingKey.noteRepeatedSet()`.
  @exclusivity(unchecked)
  private(set) var stateVersion: UInt = 0
  /// The address of the thread that delivers it, 0 as long as none does.
  ///
  /// Other threads compare it when they look for changes that they deliver themselves.
  let deliveringThread = Atomic<UInt>(0)
  /// Whether computed keys or paths depend on what was changed, or prior notifications were sent.
  @exclusivity(unchecked)
  var hasPhases = false
  /// Whether computed keys or paths depend on what was changed.
  @exclusivity(unchecked)
  var hasDerivedValues = false

  /// Whether any change was made in the names of observers.
  @exclusivity(unchecked)
  private(set) var hasNamedObservers = false

  /// Keep the addresses of those that code of a user has named.
  @exclusivity(unchecked)
  private var reservedAddresses: [ObserverIdentity: ReservedAddress] = [:]

  /// Whether any change was made while histories paused.
  @exclusivity(unchecked)
  var hasPausedHistories = false

  /// The number of all its changes.
  @usableFromInline
  var number: UInt64 {
    if changeNumber == 0 { changeNumber = ThreadState.makeChangeNumber() }
    return changeNumber
  }

  func isDelivered(by thread: UnsafeMutableRawPointer) -> Bool {
    deliveringThread.load(ordering: .relaxed) == UInt(bitPattern: thread)
  }

  func advanceStateVersion() { stateVersion &+= 1 }

  func makeStep() -> Int {
    stepCount += 1
    return stepCount
  }

  // MARK: Reuse

  // One that is used again for a thousand objects takes half of the time (row: one of 1000 sets). One transaction
  // is kept, so this is at most a megabyte.
  /// For how many changed keys memory is kept.
  private static var spareCount: Int { 1024 }

  /// Whether it has not got more memory than is kept.
  var isSmall: Bool {
    max(records.capacity, pendingKeys.capacity, markedChanges.capacity, bindings.capacity)
      <= 2 * Self.spareCount
  }

  /// Releases what the transaction has kept, which may run code of a user.
  private func reset() {
    if !markedChanges.isEmpty { markedChanges.removeEach() }
    // Before the records, which are not to be kept as boxes.
    while !pendingKeys.isEmpty { reset(pendingKeys.takeLast()) }
    records.removeAll()
    if !lateObservers.isEmpty { lateObservers = [] }
    if !bindings.isEmpty { bindings.removeEach() }
    if !conclusions.isEmpty { conclusions = [] }
    if !deallocatedTargets.isEmpty {
      (deallocatedTargets, lostTargets, keysWithAllNotified) = ([:], [], [])
    }
    if !openPairs.isEmpty { openPairs = [:] }
    if !keptValues.isEmpty { keptValues = [] }
    if editedKey != nil { editedKey = nil }
    if restoredGroup != nil { restoredGroup = nil }
    collectingSources.isOpen = true
    if !reservedAddresses.isEmpty { reservedAddresses = [:] }
    (hasNamedObservers, hasPausedHistories) = (false, false)
    (hasPhases, hasDerivedValues) = (false, false)
    stepCount = 0
    changeNumber = 0
  }

  /// Keeps a pending key for another change.
  private func reset(_ key: Unmanaged<PendingKey>) {
    if spareKeys.count >= Self.spareCount { return key.release() }
    key._withUnsafeGuaranteedRef { $0.reset() }
    spareKeys.append(retained: key)
  }

  // MARK: Beginning and ending

  /// Begins a transaction on the running thread, inside of the one that is open.
  @discardableResult
  static func begin(
    rollsBack: Bool, without observations: [KeyValueObservation]
  ) -> Unmanaged<Transaction> {
    let thread = ThreadState.current
    let transaction: Unmanaged<Transaction>
    if let current = thread.pointee.transaction {
      transaction = .fromOpaque(current)
    } else {
      transaction = takeSpare() ?? .passRetained(Transaction())
      thread.pointee.transaction = transaction.toOpaque()
      kvo_transaction_began()
    }
    transaction._withUnsafeGuaranteedRef {
      $0.beginLevel(
        rollsBack: rollsBack, excluding: observations.isEmpty ? [] : $0.observers(of: observations))
    }
    return transaction
  }

  /// The observers that observations call, whose addresses are reserved until the outermost transaction is over.
  private func observers(of observations: [KeyValueObservation]) -> Set<ObserverIdentity> {
    var observers: Set<ObserverIdentity> = []
    for observer in observations.flatMap(\.observers) {
      let identity = ObserverIdentity(Unmanaged.passUnretained(observer).toOpaque())
      reservedAddresses[identity] = ReservedAddress(of: observer)
      observers.insert(identity)
    }
    return observers
  }

  /// Begins a transaction inside, in the names of observers.
  func beginLevel(rollsBack: Bool, excluding others: Set<ObserverIdentity>) {
    // A rollback of the level does not put back what sources report of changes that came before it.
    if depth > 0, rollsBack { endCollecting() }
    if depth > 0 { outerLevels.append(level) }
    depth += 1
    advanceStateVersion()
    // Otherwise it begins as a copy of the level around it.
    level.rollsBack = rollsBack
    if rollsBack { level.keepsFormerValues = true }
    level.firstRecord = records.count
    level.firstMark = markedChanges.count
    if others.isEmpty { return }
    hasNamedObservers = true
    level.excluded.formUnion(others)
  }

  /// Ends the innermost transaction of the running thread.
  @usableFromInline
  static func end(rollingBack isRollback: Bool) {
    let thread = ThreadState.current
    guard let address = thread.pointee.transaction else { return }
    let transaction = Unmanaged<Transaction>.fromOpaque(address)
    let isOutermost = transaction._withUnsafeGuaranteedRef {
      $0.endLevel(rollingBack: isRollback)
      return $0.depth == 0
    }
    if !isOutermost { return }
    thread.pointee.transaction = nil
    kvo_transaction_ended()
    transaction._withUnsafeGuaranteedRef {
      $0.conclude(on: thread)
      $0.reset()
    }
    keepSpare(transaction)
  }

  private func endLevel(rollingBack isRollback: Bool) {
    if depth == 1, !isRollback, !bindings.isEmpty || !collectingSources.isEmpty {
      collectingSources.isOpen = false
      endCollecting()
      // Reads of bindings are no dependencies of a getter around the transaction.
      ThreadState.pauseRecording { synchronizeBindings() }
    }
    if isRollback { rollBack() } else { merge() }
  }

  /// Makes what the innermost transaction has changed a part of the one around it.
  func merge() {
    let (firstRecord, firstMark) = (level.firstRecord, level.firstMark)
    depth -= 1
    advanceStateVersion()
    // All that is left ends with the outermost one.
    if depth == 0 { return level.reset() }
    level = outerLevels.removeLast()
    if !lostTargets.isEmpty { mergeLostTargets() }
    for observers in lateObservers { observers.merge(into: depth) }
    records.merge(from: firstRecord, into: depth, keepsFormerValues: keepsFormerValues)
    for index in firstMark..<markedChanges.count {
      markedChanges[index]._withUnsafeGuaranteedRef { $0.merge(into: depth) }
    }
  }

  /// Whether the changes of the innermost transaction are taken back if its body throws.
  var rollsBack: Bool { level.rollsBack }

  /// Whether former values are recorded now, because the transaction is rolled back if its body throws, or one
  /// around it is.
  var keepsFormerValues: Bool { level.keepsFormerValues }

  /// The observers in whose names changes are made.
  var excluded: Set<ObserverIdentity> { level.excluded }

  /// The first of the records of the innermost transaction.
  var firstRecord: Int { level.firstRecord }

  /// Forgets what the innermost transaction has changed, when it has been put back.
  ///
  /// - `unrestored`: The keys that could not be, whose changes stay.
  func takeBackMarks(except unrestored: UnrestoredKeys) {
    func takeBack(_ change: PendingChange) {
      let outer = unrestored.isEmpty ? nil : unrestored[change.key]
      if let outer { change.keep(from: depth, in: outer) } else { change.takeBack(from: depth) }
    }
    if depth == 1 { forEachKey { $0.forEachChange(takeBack) } }
    let changes = markedChanges[level.firstMark...]
    for change in changes { change._withUnsafeGuaranteedRef(takeBack) }
    let kept = unrestored.isEmpty ? [] : changes.filter { $0._withUnsafeGuaranteedRef(\.isChanged) }
    markedChanges.replaceSubrange(level.firstMark..., with: kept)
  }

  // MARK: Pending keys

  /// A pending key, which is not in use, for a change that is about to begin.
  func makePendingKey() -> Unmanaged<PendingKey> {
    let key = spareKeys.isEmpty ? .passRetained(PendingKey(in: self)) : spareKeys.takeLast()
    pendingKeys.append(retained: key)
    return key
  }

  // By index: code of users that `body` calls may change another key.
  /// Calls `body` with the observed keys that were changed, in the order of their first changes.
  @inline(__always)
  func forEachKey(_ body: (PendingKey) -> Void) {
    var index = 0
    while index < pendingKeys.count {
      pendingKeys[index]._withUnsafeGuaranteedRef(body)
      index += 1
    }
  }

  func append(markedInside change: PendingChange) {
    markedChanges.append(.passUnretained(change))
  }

  func append(late observers: LateObservers) {
    lateObservers.append(observers)
    advanceStateVersion()
  }

  func append(binding: any SynchronizedSides) { bindings.append(binding) }

  /// Calls a closure when all changes have been delivered.
  func whenDelivered(_ body: @escaping () -> Void) { conclusions.append(body) }

  // MARK: Ending

  /// Delivers the changes, and then what was put off until then.
  private func conclude(on thread: UnsafeMutablePointer<kvo_thread_state>) {
    if pendingKeys.isEmpty, conclusions.isEmpty { return }
    // All of them are one outermost change.
    thread.pointee.ending_transactions += 1
    ThreadState.pauseRecording {
      // A change that has waited for one of them may come before others of them (P40).
      thread.withSeries { deliver(on: thread) }
      if !conclusions.isEmpty { for conclude in conclusions { conclude() } }
    }
    thread.pointee.ending_transactions -= 1
    thread.endOutermostChange(outside: thread.delivery)
  }
}

extension Transaction {
  /// One `withKeyValueTransaction` that is running.
  struct Level {
    /// Whether its changes are taken back if its body throws.
    var rollsBack = false
    /// Whether former values are recorded, for it or for one around it.
    var keepsFormerValues = false
    /// The observers in whose names changes are made.
    var excluded: Set<ObserverIdentity> = []
    /// How many records and marked changes there were when it began.
    var firstRecord = 0
    var firstMark = 0

    /// Makes it what the outermost one begins with.
    mutating func reset() {
      keepsFormerValues = false
      if !excluded.isEmpty { excluded = [] }
    }
  }
}
