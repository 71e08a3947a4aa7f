/// The change of a weak property whose object was deallocated (P27).
///
/// In a transaction it begins with the deallocation, as if all that follows were a mutation block of the property, and is
/// delivered at the end: observers that are registered in between have found nil (P53).
final class TargetDeallocation {
  let key: ObservedKey
  private let property: KeyValueProperty
  private let subject: AnyObject
  /// The histories that leave it out, since they paused when the object was deallocated (P58).
  private let pausedHistories = ThreadState.current.pausedHistories
  private let delivery: UnsafeMutablePointer<Delivery>
  private var state = State.waiting

  private enum State {
    case waiting
    /// The dependents capture their values, by getters that may release another object in the property.
    case beginning
    case begun
    case over
  }

  init(of property: KeyValueProperty, at key: ObservedKey, of subject: AnyObject) {
    self.key = key
    self.property = property
    self.subject = subject
    delivery = .allocate(capacity: 1)
  }

  deinit { delivery.deallocate() }

  /// Fixes the observers, unless they are; without any it is over.
  ///
  /// No notification preceded it, and the object no longer exists, so there is no prior notification and no old value.
  func begin() {
    if state != .waiting { return }
    guard key.begin(delivery, of: subject) else { return state = .over }
    state = .beginning
    delivery.pointee.traits.insert(.withoutOldValue)
    delivery.pointee.snapshot.needs.subtract([.old, .prior])
    delivery.capture()
    if state == .over { return delivery.abandon() }
    state = .begun
  }

  /// Notifies the observers, unless a setter that has stored another object has notified them.
  func deliver() {
    guard ThreadState.pauseRecording({ property.value(of: subject) }) == nil else {
      return abandon()
    }
    let tracked = observableObject(subject)
    tracked?.notifyTracking(.willSet, of: property)
    defer { tracked?.notifyTracking(.didSet, of: property) }
    if state == .begun { delivery.takeInChangesOfBody() }
    begin()
    guard state == .begun else { return }
    state = .over
    let new = property.nilBox
    delivery.settle()
    delivery.deliverOrEnqueue(nil, new, begunPausing: pausedHistories)
  }

  /// Ends it where the observers are not to be notified.
  func abandon() {
    if state == .begun { delivery.abandon() }
    state = .over
  }
}
