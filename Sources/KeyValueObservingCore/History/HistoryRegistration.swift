/// Records the changes of one property for a history.
///
/// It receives prior notifications, so that the history knows of each change before anything that the change
/// causes: it all belongs to one group (P58).
final class HistoryRegistration: Registration {
  private unowned let history: KeyValueHistory
  private let property: KeyValueProperty
  /// How many changes have sent prior notifications, and are not delivered yet.
  private var beginnings = 0
  /// Whether the change of a transaction has begun where nothing is recorded.
  private var isLeftOut = false

  init(_ property: KeyValueProperty, for history: KeyValueHistory) {
    self.history = history
    self.property = property
    super.init(
      needs: [.old, .new, .prior],
      receive: { unsafeDowncast($0, to: HistoryRegistration.self).receive($1) })
  }

  private func receive(_ delivery: UnsafeMutablePointer<Delivery>) {
    // A handler of a diagnostic may release it.
    let history = history
    if delivery.pointee.phase == .prior {
      // A pair may never end.
      if delivery.pointee.snapshot.isOfPair { return }
      beginnings += 1
      if delivery.isOfTransaction { isLeftOut = !history.isRecording }
      return history.changeBegins()
    }
    let isRecorded = delivery.isOfTransaction ? !isLeftOut : history.isRecording
    isLeftOut = false
    if !delivery.isTakenBack, !delivery.pointee.isZeroing {
      if isRecorded { record(delivery) }
      follow(delivery)
    }
    endOne()
    extendLifetime(history)
  }

  private func record(_ delivery: UnsafeMutablePointer<Delivery>) {
    guard let subject = observableObject(delivery.pointee.subject.takeUnretainedValue()) else {
      return
    }
    guard property.isRestorable else { return history.report(property, in: subject) }
    let old = delivery.pointee.old.map { property.accessor.operations.box($0) }
    let new = delivery.pointee.new.map { property.accessor.operations.box($0) }
    if let edit = delivery.pointee.edit?.takeUnretainedValue() {
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

  /// Notes that a change has ended.
  private func endOne() {
    if beginnings == 0 { return history.changeEnds(0) }
    beginnings -= 1
    history.changeEnds(1)
  }

  override func skip(_ delivery: UnsafeMutablePointer<Delivery>) {
    if delivery.pointee.phase == .deliver { endOne() }
  }

  override func changeAbandoned() {
    if beginnings > 0 { endOne() }
  }

  override func subjectDeallocated() {
    if beginnings > 0 { history.changeEnds(beginnings) }
    beginnings = 0
  }
}
