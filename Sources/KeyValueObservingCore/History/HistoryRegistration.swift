/// Records the changes of one property for a history.
///
/// It receives prior notifications, so that the history knows of each change before anything that
/// the change causes: it all belongs to one group (P58). They also decide whether the change is
/// recorded, since it may be delivered much later, when other changes of the property have begun.
final class HistoryRegistration: Registration {
  private unowned let history: KeyValueHistory
  private let property: KeyValueProperty
  /// How many changes have sent prior notifications, and are not delivered yet.
  private var beginnings = 0
  /// Whether such a change is recorded, by the number of its snapshot.
  ///
  /// That of a change that was abandoned stays until nothing is left to be delivered.
  private var decisions: [UInt64: Bool] = [:]
  /// The pairs of manual notifications that have begun where nothing is recorded.
  private var leftOutPairs: [LeftOutPair] = []

  /// A pair of manual notifications that is not recorded.
  ///
  /// It completes a change of its own, or takes part in that of the transaction in which it began
  /// (P55).
  private struct LeftOutPair {
    let epoch: UInt32
    let transaction: UInt64?
  }

  init(_ property: KeyValueProperty, for history: KeyValueHistory) {
    self.history = history
    self.property = property
    super.init(
      needs: [.old, .new, .prior],
      receive: { unsafeDowncast($0, to: HistoryRegistration.self).receive($1) })
  }

  /// Whether a history records the changes of a key.
  static func records(changesOf key: ObservedKey, for history: KeyValueHistory) -> Bool {
    key.withLock { key.state.registrations() }.contains {
      ($0 as? HistoryRegistration)?.history === history
    }
  }

  private func receive(_ delivery: UnsafeMutablePointer<Delivery>) {
    // A handler of a diagnostic may release it.
    let history = history
    if delivery.pointee.phase == .prior { return begin(delivery) }
    let (isRecorded, count) = takeDecision(of: delivery)
    if !delivery.isTakenBack, !delivery.pointee.isZeroing {
      if isRecorded { record(delivery) }
      follow(delivery)
    }
    end(count)
    extendLifetime(history)
  }

  /// Decides whether a change is recorded that begins.
  private func begin(_ delivery: UnsafeMutablePointer<Delivery>) {
    let snapshot = delivery.pointee.snapshot
    guard snapshot.isOfPair else {
      beginnings += 1
      decisions[snapshot.number] = history.isRecording
      return history.changeBegins()
    }
    // A pair may never end, so the history does not wait for it.
    if history.isRecording { return }
    leftOutPairs.append(
      LeftOutPair(epoch: snapshot.pairEpoch, transaction: Transaction.current?.number))
  }

  /// Returns whether a change is recorded, and the number of beginnings that end with it: 0 or 1.
  private func takeDecision(
    of delivery: UnsafeMutablePointer<Delivery>
  ) -> (isRecorded: Bool, count: Int) {
    let snapshot = delivery.pointee.snapshot
    if let isRecorded = decisions.removeValue(forKey: snapshot.number) { return (isRecorded, 1) }
    if snapshot.isOfPair { return (!takeLeftOutPairs { $0.epoch == snapshot.pairEpoch }, 0) }
    // Its prior notification was that of a pair.
    let number = delivery.pointee.number
    if delivery.isOfTransaction { return (!takeLeftOutPairs { $0.transaction == number }, 0) }
    // A change without a prior notification, such as one that an object reports afterwards (P72).
    return (history.isRecording, 0)
  }

  /// Removes pairs that have ended, and returns whether there were any.
  private func takeLeftOutPairs(where matches: (LeftOutPair) -> Bool) -> Bool {
    let count = leftOutPairs.count
    leftOutPairs.removeAll(where: matches)
    return leftOutPairs.count < count
  }

  private func record(_ delivery: UnsafeMutablePointer<Delivery>) {
    guard let subject = observableObject(delivery.pointee.subject.takeUnretainedValue()) else {
      return
    }
    guard property.isRestorable else { return history.report(property, in: subject) }
    let old = delivery.pointee.old.map { property.accessor.operations.box($0) }
    let new = delivery.pointee.new.map { property.accessor.operations.box($0) }
    if let edit = delivery.pointee.edit?.takeUnretainedValue(), edit.kind != .setting {
      history.record(
        HistoryStep(.edit(edit, removed: old, added: new), of: property, in: subject))
    } else if let old {
      history.record(HistoryStep(.value(old), of: property, in: subject))
    }
  }

  /// Lets the history record the objects that the property refers to now: of an edit, the added ones.
  private func follow(_ delivery: UnsafeMutablePointer<Delivery>) {
    guard property.isReferring, let new = delivery.pointee.new else { return }
    history.follow(property.erase(new))
  }

  /// Notes that a change has ended, or that one was delivered which had not begun.
  private func end(_ count: Int) {
    beginnings -= count
    if beginnings == 0, !decisions.isEmpty { decisions = [:] }
    history.changeEnds(count)
  }

  override func skip(_ delivery: UnsafeMutablePointer<Delivery>) {
    if delivery.pointee.phase == .deliver { end(takeDecision(of: delivery).count) }
  }

  override func changeAbandoned() {
    if beginnings > 0 { end(1) }
  }

  override func subjectDeallocated() {
    let count = beginnings
    (beginnings, decisions, leftOutPairs) = (0, [:], [])
    if count > 0 { history.changeEnds(count) }
  }
}
