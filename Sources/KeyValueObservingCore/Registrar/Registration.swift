public import Synchronization

/// The registration of an observer at one key of one object: an entry in the key's observer list.
///
/// Most observers are closures that are entries themselves (`ObserverEntry`). Those that receive more than did-change
/// notifications have registrations: observers of prior notifications or of the observed object's deallocation, and a
/// derived value for each key that it reads (`Link`). A path is itself attached only to the deallocation of the object
/// at its start, and a computed key to nothing.
///
/// The observer list does not retain its registrations. An observer is retained by its token, so that releasing the
/// token ends the observation (P32), a link by its derived value, and a watch over a weak property by the property's
/// observed key.
@usableFromInline
class Registration {
  @usableFromInline
  typealias Receive = (Registration, UnsafeMutablePointer<Delivery>) -> Void

  /// The values and phases that a change has to prepare for this registration.
  @usableFromInline
  let needs: ObserverNeeds
  /// The part of its needs for which each change has to prepare now.
  ///
  /// The registration takes its share if it requests more on behalf of another observer. Guarded by
  /// the lock of the observed key's context.
  @exclusivity(unchecked)
  final var requestedNeeds: ObserverNeeds
  var order = NotificationOrder.observer
  /// Whether it belongs to a binding, for which a change of what it observes is a transaction (P64).
  final var isOfBinding = false
  var index: Int32 = -1
  /// Receives one phase of a delivery: after a change, and before it if that is needed.
  ///
  /// Of a `Link` it is `Link.receiveChange` or `receiveLeafChange`, of an observer of a key mostly
  /// `KeyObservation.receive`. A `DerivedValue` receives changes by its links.
  ///
  /// A stored closure, because one that is made where the types are known is specialized, while an
  /// overridden method of a generic class is not: this is most of the cost of one more observer.
  @usableFromInline
  let receive: Receive
  /// The observed key to which it is attached.
  ///
  /// Guarded by the lock of the observed key's context, like its index and its order.
  var unmanagedKey: Unmanaged<ObservedKey>?
  /// The token that keeps it, if it is kept by one.
  ///
  /// Guarded by the same lock, and in memory while set. Its end may have begun, so it must not be
  /// retained.
  var token: Unmanaged<KeyValueObservation>?

  /// The last snapshot that may call it: the greatest number while it is attached, the snapshot that had
  /// begun when it was detached, and none, 0, when the observation has ended (P13).
  @usableFromInline
  let lastSnapshot = Atomic<UInt64>(.max)
  /// The first snapshot that may call it.
  @usableFromInline
  @exclusivity(unchecked)
  var firstSnapshot: UInt64 = 0
  /// The epoch of the key's pairs in which it was attached (P19).
  @usableFromInline
  let pairEpoch = Atomic<UInt32>(0)

  @usableFromInline
  init(needs: ObserverNeeds, receive: @escaping Receive) {
    self.needs = needs
    requestedNeeds = needs
    self.receive = receive
  }

  final var observedKey: ObservedKey? { unmanagedKey?.takeUnretainedValue() }

  /// Whether the observation has ended, so that nothing may be delivered to it any more.
  @inlinable
  final var hasEnded: Bool {
    lastSnapshot.load(ordering: .acquiring) == 0
  }

  /// Whether a snapshot of its observed key may call it.
  @inlinable
  final func isNotified(by snapshot: ObserverSnapshot) -> Bool {
    snapshot.latestNumber <= lastSnapshot.load(ordering: .acquiring)
      && (!snapshot.isExtended || firstSnapshot <= snapshot.number)
      && pairEpoch.load(ordering: .relaxed) <= snapshot.pairEpoch
  }

  /// Whether it came in the prior notifications of a snapshot, with the registration of an observer.
  final func isRegisteredAfter(_ snapshot: ObserverSnapshot) -> Bool {
    snapshot.isExtended && firstSnapshot > snapshot.number
  }

  /// Notes that snapshots after `snapshot` may not call it, though it still has an entry.
  final func markDetached(after snapshot: UInt64) {
    _ = lastSnapshot.compareExchange(expected: .max, desired: snapshot, ordering: .releasing)
  }

  /// Lets snapshots up to `snapshot` call it again, after it has left.
  final func stay(until snapshot: UInt64) {
    let left = lastSnapshot.load(ordering: .relaxed)
    if left != 0 {
      _ = lastSnapshot.compareExchange(expected: left, desired: snapshot, ordering: .relaxed)
    }
  }

  /// Whether it comes with the registration of an observer, which is not notified of a change that is being prepared
  /// (P13), while a path that comes to lead to the key is (P11).
  var comesWithObserver: Bool { true }

  // MARK: The observation

  /// The observation on whose behalf this is attached: of a link its derived value.
  var observation: Registration { self }

  /// This as a link; nil if it is attached on its own behalf.
  var link: (any LinkRegistration)? { nil }

  final var identity: ObserverIdentity {
    ObserverIdentity(Unmanaged.passUnretained(observation).toOpaque())
  }

  /// The work to do for its observer when the observation has ended, or has missed a change.
  var completion: ObservationCompletion? { nil }

  // MARK: Changes that it does not receive

  /// Takes a phase of a delivery that does not reach the observer, because its callback causes
  /// a loop.
  func skip(_ delivery: UnsafeMutablePointer<Delivery>) {}

  /// Notes that a change was made of which it is not notified, since that began before it was attached (P13).
  ///
  /// No change of the key is waiting that it is to receive.
  func changeMissed() { completion?.changeMissed() }

  /// Whether prior notifications reach the observer on the running thread: not one that belongs to another actor
  /// (P40).
  final var isReachedByPriors: Bool { completion?.isReachedByPriors ?? true }

  /// Notes that a change is not delivered of which it has received a prior notification.
  func changeAbandoned() {}

  /// Notes that a transaction changes the key again, of which it has received a prior notification, after all changes
  /// before were taken back.
  func changeIsMade(_ delivery: UnsafeMutablePointer<Delivery>) {}

  /// Notes that a rollback has put back a value of the key which is older than the registration.
  func valueWasRestored(_ delivery: UnsafeMutablePointer<Delivery>) {}

  /// Notes that a change of a set which is about to be delivered does not show all that has left it, and all that has
  /// come: members have made way for equal ones.
  func membersWereExchanged(
    _ delivery: UnsafeMutablePointer<Delivery>, _ exchange: MemberExchange
  ) {}

  // MARK: Ending

  /// Ends the observation.
  final func end() {
    markEnded()
    didEnd()
  }

  final func markEnded() { lastSnapshot.store(0, ordering: .releasing) }

  /// Releases what the observation keeps elsewhere, when it has ended.
  func didEnd() { completion?.ended() }

  /// Begins the change that the deallocation of the object with the observed key is, after the registration was
  /// detached.
  func beginDeallocation() {}

  /// Notifies that the object with the observed key was deallocated.
  func subjectDeallocated() {}

  /// Notes that the observation has ended between the two.
  func abandonDeallocation() {}
}

/// The position of a registration among the observers of a key.
enum NotificationOrder {
  /// An observer of the key itself.
  case observer
  /// A dependent of the key, which is notified of a change after the key's observers (P10): a computed key, or a path
  /// that reads the key for the sake of one.
  case dependent
}

extension [Registration] {
  /// Evaluates derived values that were attached while a key was changed, and reattaches them to their inputs.
  ///
  /// - `notesMissedChange`: Whether the change is over, of which these were not notified.
  func catchUp(notesMissedChange: Bool = true) {
    for registration in self {
      registration.link?.catchUp()
      if notesMissedChange { registration.changeMissed() }
    }
  }
}
