internal import CKeyValueObserving

/// An observed key that a transaction has changed, and whose observers are notified at its end.
///
/// Observers that are registered meanwhile start from another value than those that were there before (P53),
/// so they receive a pending change of their own, which begins when the key changes again. Each of these keeps its
/// observers where they are in the observer list, so those that come later stand behind them.
@usableFromInline
final class PendingKey {
  /// The one of another transaction at the same observed key.
  @exclusivity(unchecked)
  var next: Unmanaged<PendingKey>?
  /// The transaction, which retains the pending key, also while that is spare.
  private let transaction: Unmanaged<Transaction>
  /// Keeps the observed key.
  @exclusivity(unchecked)
  private var subject: AnyObject?
  let first = PendingChange()
  /// The changes for observers that came later.
  @exclusivity(unchecked)
  private(set) var later: [PendingChange] = []
  /// How many observers and dependents the changes have.
  @exclusivity(unchecked)
  private(set) var observerCount: Int32 = 0
  @exclusivity(unchecked)
  private(set) var dependentCount: Int32 = 0
  /// The version of the transaction's state in which the property was set, if another set of it in that has
  /// nothing to note but its step; 0 if there is none.
  @exclusivity(unchecked)
  private var versionOfLastSet: UInt = 0
  /// The property with the key, once it was looked up, which the observed key keeps.
  @exclusivity(unchecked)
  private var property: Unmanaged<KeyValueProperty>?

  init(in transaction: Transaction) {
    self.transaction = .passUnretained(transaction)
  }

  func belongs(to transaction: Transaction) -> Bool {
    self.transaction.toOpaque() == Unmanaged.passUnretained(transaction).toOpaque()
  }

  /// Whether a thread delivers its transaction.
  func isDelivered(by thread: UnsafeMutableRawPointer) -> Bool {
    transaction._withUnsafeGuaranteedRef { $0.isDelivered(by: thread) }
  }

  private func makeStep() -> Int { transaction._withUnsafeGuaranteedRef { $0.makeStep() } }

  var observedKey: Unmanaged<ObservedKey> { first.delivery.pointee.observedKey }

  func withLock<Result>(_ body: (ObservedKey) -> Result) -> Result {
    observedKey._withUnsafeGuaranteedRef { observedKey in
      observedKey.withLock { body(observedKey) }
    }
  }

  /// Begins a change of a key, with the lock of its context held.
  func begin(at observedKey: ObservedKey, of subject: AnyObject) {
    self.subject = subject
    property = observedKey.state.unmanagedProperty
    let snapshot = observedKey.state.pinForTransaction()
    (observerCount, dependentCount) = (snapshot.observerCount, snapshot.dependentCount)
    begin(first, at: observedKey, of: subject, snapshot)
    observedKey.state.add(self)
  }

  @inline(__always)
  private func begin(
    _ change: PendingChange, at observedKey: ObservedKey, of subject: AnyObject,
    _ snapshot: ObserverSnapshot
  ) {
    change.begin(at: observedKey, of: subject, snapshot, step: makeStep())
    if change.hasPhases {
      transaction._withUnsafeGuaranteedRef {
        $0.hasPhases = true
        if change.delivery.hasDerivedValues { $0.hasDerivedValues = true }
      }
    }
  }

  /// Releases what it keeps, so that it can begin a change of another key.
  func reset() {
    // The subject has kept the property until now.
    first.reset(
      keepingBoxes: property?._withUnsafeGuaranteedRef { $0.holdsPlainValues } ?? false)
    if !later.isEmpty { later = [] }
    subject = nil
  }

  /// Fixes the observers of a key that is about to be changed, unless that has been done.
  ///
  /// Returns the key; nil if no observer is to be notified.
  static func begin(
    at observedKey: Unmanaged<ObservedKey>, of subject: AnyObject, in transaction: Transaction,
    isManualNotification: Bool, isRestoring: Bool = false
  ) -> Unmanaged<PendingKey>? {
    observedKey._withUnsafeGuaranteedRef { observedKey in
      observedKey.withLock {
        guard observedKey.state.isObserved else { return nil }
        if observedKey.isManual, !isManualNotification {
          fixUnprepared(at: observedKey, of: subject, in: transaction)
          return nil
        }
        let isInBlock = observedKey.mutationBlockCount > 0 && observedKey.isInMutationBlock
        if let key = observedKey.state.pendingKey(of: transaction) {
          // Mostly no observers were added (row: further set).
          let hasNew = key._withUnsafeGuaranteedRef { $0.hasNewObservers(in: observedKey.state) }
          if hasNew {
            key._withUnsafeGuaranteedRef { $0.pinNewObservers(at: observedKey) }
            return key
          }
          // A block has noted its change at its beginning, for all observers that were there.
          let isNoted =
            isInBlock && !isRestoring
            && key._withUnsafeGuaranteedRef { !$0.contains { !$0.isChanged } }
          return isNoted ? nil : key
        }
        if isInBlock { return nil }
        let key = transaction.makePendingKey()
        key._withUnsafeGuaranteedRef { $0.begin(at: observedKey, of: subject) }
        return key
      }
    }
  }

  /// Ends a set, when the former value was recorded.
  ///
  /// - `former`: Returns the value that the setter has replaced, if that is the old value of observers, in a box that
  ///   it may use again.
  @usableFromInline
  func endSet(at version: UInt, replacing former: (consuming AnyValueBox?) -> AnyValueBox) {
    forEachChange { $0.takeOld(former) }
    // An edit by proxy sets the property, too. Late observers are notified of each set.
    if transaction._withUnsafeGuaranteedRef({ $0.lateObservers.isEmpty }),
      !contains({ !$0.edits.isSetting })
    {
      versionOfLastSet = version
    }
  }

  /// Notes a set of a property that has been set in the innermost transaction, if nothing has happened since
  /// that a set would have to note but its step.
  ///
  /// Returns false, and notes nothing, if something has.
  @inline(__always)
  func noteRepeatedSet() -> Bool {
    let version = transaction._withUnsafeGuaranteedRef { $0.stateVersion }
    if versionOfLastSet != version { return false }
    let step = makeStep()
    forEachChange { $0.lastStep = step }
    return true
  }

  /// Fixes the observers that no change has; with the lock of the context held.
  func pinNewObservers(at observedKey: ObservedKey) {
    guard let subject else { return }
    var snapshot = observedKey.state.pinForTransaction()
    let (observers, dependents) = (snapshot.observerCount, snapshot.dependentCount)
    snapshot.leaveOut(observers: observerCount, dependents: dependentCount)
    (observerCount, dependentCount) = (observers, dependents)
    let change = PendingChange()
    begin(change, at: observedKey, of: subject, snapshot)
    later.append(change)
    versionOfLastSet = 0
  }

  /// Calls `body` with each change, that for the oldest observers first.
  @inline(__always)
  func forEachChange(_ body: (PendingChange) -> Void) {
    body(first)
    if !later.isEmpty { for change in later { body(change) } }
  }

  @inline(__always)
  private func contains(_ matches: (PendingChange) -> Bool) -> Bool {
    matches(first) || !later.isEmpty && later.contains(where: matches)
  }

  /// Notes a change in the innermost transaction, or in one around it, and what happens to a collection.
  ///
  /// - `step`: The step of the transaction at which it was begun; nil for the next one.
  /// - `edit`: The edit of a collection; nil if the property is set.
  /// - `planned`: The edit, if it is one of an array in place.
  /// - `isEditing`: Whether an edit by proxy, which has been noted, sets the property.
  /// - `isOver`: Whether the edit has been made already, between the halves of a pair.
  /// - `members`: Returns the members that it adds to a set.
  func mark(
    _ depth: Int, at step: Int? = nil, with edit: Edit?, planned: PlannedEdit? = nil,
    isEditing: Bool = false, isOver: Bool = false, adding members: () -> AnyValueBox? = { nil }
  ) {
    let step = step ?? makeStep()
    transaction._withUnsafeGuaranteedRef { transaction in
      forEachChange { change in
        change.mark(depth, in: transaction)
        change.lastStep = max(change.lastStep, step)
        change.exclude(in: transaction)
      }
    }
    if isEditing { return }
    if let edit { return add(edit, planned: planned, isOver: isOver, adding: members) }
    forEachChange { change in
      if change.edits.isSetting { return }
      change.deriveOld { presentValue }
      change.edits.set()
    }
  }

  /// Derives old values that have been put off, since the value is about to change in another way.
  func deriveOldValues() { forEachChange { $0.deriveOld { presentValue } } }

  private func add(
    _ edit: Edit, planned: PlannedEdit?, isOver: Bool, adding members: () -> AnyValueBox?
  ) {
    forEachChange { change in
      if change.edits.isSetting { return }
      if change.isOldDerived, planned == nil || change.edits.opposites?.isTooLarge == true {
        change.deriveOld { presentValue }
      }
      // Read before, since a getter may make a change of the key.
      let former = change.edits.isEmpty ? change.old ?? presentValue : nil
      // A set that was taken back has kept none. That of an array is derived, which copies nothing.
      if let former, !isOver, edit.indexes == nil { change.keepOld(former) }
      // A pair of elements has begun where there was no collection.
      let count = former?.placeCount ?? (isOver && former?.isNil == true ? 0 : nil)
      let isDerived = change.isOldDerived
      // A history knows of them, which receives prior notifications.
      let isSetEdit = edit.indexes == nil && edit.kind != .removal && change.isPriorSent
      change.edits.add(
        edit, count: count, planned: isDerived ? planned : nil,
        adding: isSetEdit ? members() : nil)
    }
  }

  /// Whether an observer has received a prior notification, for which the change is still to come.
  var isPriorSent: Bool { contains { $0.isPriorSent } }

  /// Evaluates what has been attached to the key since its observers were fixed.
  func catchUp() {
    guard isPrepared else { return }
    let attached = withLock {
      hasNewObservers(in: $0.state)
        ? $0.state.registrations(from: observerCount, dependentCount) : []
    }
    attached.catchUp()
  }

  /// Evaluates derived values that were evaluated in the transaction before its rollback has put the value back (P25).
  func letDerivedValuesFollow() {
    let number = transaction._withUnsafeGuaranteedRef(\.number)
    let attached = withLock { $0.state.registrationsAttached(since: nil) } ?? []
    for registration in attached { registration.link?.followRestoredValue(inTransaction: number) }
  }

  // MARK: Delivering

  /// Its last change that was not put back, among the steps of the transaction.
  var lastStep: Int {
    var last = 0
    forEachChange { last = max(last, $0.lastStep) }
    return last
  }

  var identity: ObservedKeyIdentity { ObservedKeyIdentity(observedKey.toOpaque()) }

  /// Whether the key has changed, and was not put back.
  var isChanged: Bool { contains { $0.isChanged } }

  /// The value as it is; nil if a key without a property was notified manually.
  var presentValue: AnyValueBox? { presentValue(in: nil) }

  /// - `used`: A box that may be used again for it.
  private func presentValue(in used: consuming AnyValueBox?) -> AnyValueBox? {
    var used = used
    // The pending key keeps it (row: transaction of one set).
    return first.delivery.pointee.subject._withUnsafeGuaranteedRef { subject in
      if property == nil {
        property = observedKey._withUnsafeGuaranteedRef { $0.property(of: subject) }
      }
      return property?._withUnsafeGuaranteedRef { $0.box(of: subject, in: used.take()) }
    }
  }

  /// Reads the new value, if one is requested.
  func readNewValue() {
    if later.isEmpty { return first.readNewValue { presentValue(in: $0) } }
    var new: AnyValueBox?
    forEachChange {
      $0.readNewValue {
        if new == nil { new = presentValue(in: $0) }
        return new
      }
    }
  }

  /// Decides which observers receive the change from the computed key, if that delivers one as well, and leaves
  /// the changes to a delivery of the same key that runs around the transaction, if there is one.
  ///
  /// From now on, changes of the key that callbacks make wait for these.
  ///
  /// - `isInside`: Whether the transaction has ended inside a delivery.
  func beginDelivering(isInside: Bool) {
    if isInside || contains({ $0.isComputed }) { joinOthers() }
    transaction._withUnsafeGuaranteedRef {
      guard $0.hasDeallocatedTargets, !contains({ !$0.notifiesAll }),
        withLock({ !hasNewObservers(in: $0.state) })
      else { return }
      $0.keysWithAllNotified.insert(identity)
    }
  }

  private func joinOthers() {
    var isOwn = true
    var start: Int32 = 0
    let latePosition = transaction._withUnsafeGuaranteedRef {
      $0.positionOfLateObservers(at: observedKey)
    }
    forEachChange {
      let count = $0.delivery.pointee.snapshot.observerCount
      isOwn = $0.joinComputedKey(
        isFirst: $0 === first, areFormerOwn: isOwn, lateFrom: latePosition - start)
      start += count
      $0.leaveToRunning()
    }
    awaited?.takeInComputedKey()
  }

  /// The change for which other changes of the key wait.
  @inline(__always)
  var awaited: PendingChange? {
    first.isAwaited ? first : later.isEmpty ? nil : later.first { $0.isAwaited }
  }

  /// Calls the observers of the key, and delivers the changes that they make.
  ///
  /// - `isLast`: Whether neither dependents nor late observers come behind them, so that the change is over.
  func deliverToObservers(_ thread: UnsafeMutablePointer<kvo_thread_state>, isLast: Bool) {
    if let awaited = later.isEmpty ? nil : awaited {
      forEachChange { if $0.isToDeliver { $0.callObservers(thread, inside: awaited) } }
    } else {
      forEachChange { if $0.isToDeliver { $0.callObservers(thread) } }
    }
    let isOver = withLock {
      $0.state.remove(self)
      guard isLast, later.isEmpty, !first.isWaitedFor, !hasNewObservers(in: $0.state),
        $0.state.unpinUnlessSweepIsDue()
      else { return false }
      $0.state.removeIndexKeeper()
      return true
    }
    if isOver { return }
    awaited?.deliverWaiting(thread)
    if isLast {
      // As an ordinary change without derived values does.
      catchUp()
      end()
    }
  }

  /// Ends the change.
  func end() {
    withLock { $0.state.removeIndexKeeper() }
    forEachChange { $0.end() }
  }
}
