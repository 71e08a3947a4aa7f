/// Records the changes of one property for a history.
///
/// It receives prior notifications, so that the history knows of each change before anything that
/// the change causes: it all belongs to one group (P58). They also decide whether the change is
/// recorded, since it may be delivered much later, when other changes of the property have begun.
final class HistoryRegistration: Registration {
  private unowned let history: KeyValueHistory
  private let property: KeyValueProperty
  /// Whether the property is an entry, which may be missing.
  private let isEntry: Bool
  /// The number of the first group that begins after the history has begun to record the object.
  private let firstGroup: Int
  /// How many changes have sent prior notifications, and are not delivered yet.
  private var beginnings = 0
  /// The decision on such a change, by the number of its snapshot.
  ///
  /// That of a change that was abandoned stays until nothing is left to be delivered.
  private var decisions: [UInt64: Decision] = [:]
  /// The numbers of those that have `missing`, so that few are looked at where many changes wait; some may be over.
  private var numbersWithMissing: [UInt64] = []
  /// All that has left a set, and all that has come, in a change that does not deliver this, by the number of its
  /// snapshot: members have made way for equal ones (P49).
  private var exchanges: [UInt64: MemberExchange] = [:]
  /// The pairs of manual notifications that have begun outside of transactions, or are not recorded as other changes
  /// are.
  private var notedPairs: [NotedPair] = []

  private struct Decision {
    var isRecorded: Bool
    /// The former value, if the old value that is delivered is not what takes the change back: an entry was missing, or
    /// an insertion makes a collection of nil (P35), which would leave an empty one.
    var missing: AnyValueBox?
    /// The value that a rollback has put back after the registration, if that began with another one.
    var restored: AnyValueBox?
    /// How many groups had been begun when the pair began that makes the change, outside of transactions.
    var groupCount: Int?
  }

  /// A pair of manual notifications, and what was decided of it.
  ///
  /// It completes a change of its own, or takes part in that of the transaction in which it began
  /// (P55).
  private struct NotedPair {
    let epoch: UInt32
    let transaction: UInt64?
    let decision: Decision
  }

  init(
    _ property: KeyValueProperty, for history: KeyValueHistory, since firstGroup: Int,
    isEntry: Bool = false
  ) {
    self.history = history
    self.property = property
    self.isEntry = isEntry
    self.firstGroup = firstGroup
    super.init(
      needs: [.old, .new, .prior],
      receive: { unsafeDowncast($0, to: HistoryRegistration.self).receive($1) })
  }

  /// Whether a history records the changes of a key, and did when a group began.
  static func records(
    changesOf key: ObservedKey, for history: KeyValueHistory, since group: Int = .max
  ) -> Bool {
    // An entry that has always been missing has no registration yet.
    if history.recordsEntries(in: key.context, since: group) { return true }
    return key.withLock { key.state.registrations() }.contains {
      guard let registration = $0 as? HistoryRegistration else { return false }
      return registration.history === history && registration.firstGroup <= group
    }
  }

  private func receive(_ delivery: UnsafeMutablePointer<Delivery>) {
    // A handler of a diagnostic may release it.
    let history = history
    if delivery.pointee.phase == .prior { return begin(delivery) }
    let (decision, count) = takeDecision(of: delivery)
    // The change of a prior handler, say: a change that it is in does not begin with nil any more.
    if !delivery.isTakenBack {
      for number in numbersWithMissing { decisions[number]?.missing = nil }
      numbersWithMissing = []
    }
    let exchange =
      exchanges.isEmpty ? nil : exchanges.removeValue(forKey: delivery.pointee.snapshot.number)
    let isMade = !delivery.isTakenBack || exchange != nil
    if isMade, !delivery.isWithoutOldValue {
      // One that gives back a value from before it was registered is none of the program.
      if decision.isRecorded, !delivery.isLateObserversOnly {
        record(delivery, as: decision, exchanging: exchange)
      }
      follow(delivery.pointee.new)
      follow(exchange?.added.address)
    }
    end(count)
    extendLifetime(history)
  }

  /// Decides whether a change is recorded that begins.
  private func begin(_ delivery: UnsafeMutablePointer<Delivery>) {
    let snapshot = delivery.pointee.snapshot
    var decision = Decision(
      isRecorded: history.isRecording,
      missing: missingEntry(of: delivery) ?? missingCollection(of: delivery))
    guard snapshot.isOfPair else {
      return changeBegins(snapshot.number, decision)
    }
    // A pair may never end, so the history does not wait for it.
    let transaction = Transaction.current?.number
    if transaction == nil {
      decision.groupCount = history.groupCount
    } else if decision.isRecorded, decision.missing == nil {
      return
    }
    notedPairs.append(
      NotedPair(epoch: snapshot.pairEpoch, transaction: transaction, decision: decision))
  }

  // The one with which it has begun may have been taken back.
  override func changeIsMade(_ delivery: UnsafeMutablePointer<Delivery>) {
    let (number, transaction) = (delivery.pointee.snapshot.number, delivery.pointee.number)
    if decisions[number] == nil {
      // That was a pair, and so the change has not begun yet.
      changeBegins(number, takePairs(of: transaction))
    }
    decisions[number]?.isRecorded = history.isRecording
  }

  private func changeBegins(_ number: UInt64, _ decision: Decision) {
    beginnings += 1
    decisions[number] = decision
    if decision.missing != nil { numbersWithMissing.append(number) }
    history.changeBegins()
  }

  override func valueWasRestored(_ delivery: UnsafeMutablePointer<Delivery>) {
    decisions[delivery.pointee.snapshot.number]?.restored =
      missingEntry(of: delivery) ?? property.box(of: delivery.pointee.subject.takeUnretainedValue())
  }

  override func membersWereExchanged(
    _ delivery: UnsafeMutablePointer<Delivery>, _ exchange: MemberExchange
  ) {
    exchanges[delivery.pointee.snapshot.number] = exchange
  }

  /// Stands for the value of an entry that is missing; nil for any other value.
  private func missingEntry(of delivery: UnsafeMutablePointer<Delivery>) -> AnyValueBox? {
    guard isEntry,
      let object = delivery.pointee.subject.takeUnretainedValue() as? any EntryRecording,
      !object.hasEntry(property.key)
    else { return nil }
    return MissingEntryBox()
  }

  /// The value of a property that is nil, and of which an insertion is about to make a collection.
  private func missingCollection(of delivery: UnsafeMutablePointer<Delivery>) -> AnyValueBox? {
    guard delivery.pointee.edit?.takeUnretainedValue().kind == .insertion,
      property.valueType is any OptionalValue.Type
    else { return nil }
    let value = property.box(of: delivery.pointee.subject.takeUnretainedValue())
    return flatten(value.anyValue) == nil ? value : nil
  }

  /// Returns what was decided of a change, and the number of beginnings that end with it: 0 or 1.
  private func takeDecision(
    of delivery: UnsafeMutablePointer<Delivery>
  ) -> (Decision, count: Int) {
    let snapshot = delivery.pointee.snapshot
    if let decision = decisions.removeValue(forKey: snapshot.number) { return (decision, 1) }
    if snapshot.isOfPair {
      // It is the last one that has begun, unless others began in other tasks or threads.
      let index = notedPairs.lastIndex { $0.epoch == snapshot.pairEpoch }
      return (index.map { notedPairs.remove(at: $0).decision } ?? Decision(isRecorded: true), 0)
    }
    // Its prior notification was that of a pair.
    let number = delivery.pointee.number
    if delivery.isOfTransaction { return (takePairs(of: number), 0) }
    // A change without a prior notification, such as one that an object reports afterwards (P72).
    return (Decision(isRecorded: history.isRecording), 0)
  }

  /// Removes the pairs that have begun in a transaction and ended, and returns what was decided of the change that they
  /// make.
  private func takePairs(of transaction: UInt64) -> Decision {
    var decision = Decision(isRecorded: true)
    notedPairs.removeAll { pair in
      guard pair.transaction == transaction, observedKey?.isOpen(pairOf: pair.epoch) != true
      else { return false }
      if !pair.decision.isRecorded { decision.isRecorded = false }
      decision.missing = decision.missing ?? pair.decision.missing
      return true
    }
    return decision
  }

  /// - `exchange`: The members that have left a set and those that have come, if others are delivered.
  private func record(
    _ delivery: UnsafeMutablePointer<Delivery>, as decision: Decision,
    exchanging exchange: MemberExchange?
  ) {
    guard let subject = observableObject(delivery.pointee.subject.takeUnretainedValue()) else {
      return
    }
    guard property.isRestorable else { return history.report(property, in: subject) }
    let change = change(
      of: delivery, from: decision.restored ?? decision.missing, exchanging: exchange)
    guard let change else { return }
    history.record(
      HistoryStep(change, of: property, in: subject), ofPairBehind: decision.groupCount)
  }

  /// The change that a delivery is recorded as.
  ///
  /// - `former`: The value from which it starts, if that is not the old value of the delivery.
  private func change(
    of delivery: UnsafeMutablePointer<Delivery>, from former: AnyValueBox?,
    exchanging exchange: MemberExchange?
  ) -> HistoryStep.Change? {
    if let former { return .value(former) }
    if let exchange {
      return .edit(
        Edit(.replacement, at: nil), removed: exchange.removed, added: exchange.added)
    }
    let old = delivery.pointee.old.map { property.accessor.operations.box($0) }
    guard let edit = delivery.pointee.edit?.takeUnretainedValue(), edit.kind != .setting else {
      return old.map { .value($0) }
    }
    let new = delivery.pointee.new.map { property.accessor.operations.box($0) }
    return .edit(edit, removed: old, added: new)
  }

  /// Lets the history record the objects that the property refers to now: of an edit, the added ones.
  private func follow(_ new: UnsafeRawPointer?) {
    guard property.isReferring, let new else { return }
    history.follow(property.erase(new))
  }

  /// Notes that a change has ended, or that one was delivered which had not begun.
  private func end(_ count: Int) {
    beginnings -= count
    if beginnings == 0, !decisions.isEmpty { (decisions, numbersWithMissing) = ([:], []) }
    history.changeEnds(count)
  }

  override func skip(_ delivery: UnsafeMutablePointer<Delivery>) {
    guard delivery.pointee.phase == .deliver else { return }
    exchanges[delivery.pointee.snapshot.number] = nil
    end(takeDecision(of: delivery).count)
  }

  override func changeAbandoned() {
    if beginnings > 0 { end(1) }
  }

  override func subjectDeallocated() {
    let count = beginnings
    (beginnings, decisions, numbersWithMissing, notedPairs) = (0, [:], [], [])
    exchanges = [:]
    if count > 0 { history.changeEnds(count) }
  }
}
