public import Synchronization

/// The registration of an observer: mostly for one key of one object, and of a derived value for all that it reads.
///
/// Most observers are closures that are registered themselves (`ObserverEntry`). Observers that receive
/// more than did-change notifications are registrations: observers of prior notifications or of the
/// observed object's deallocation, string keys, and everything that reads along a path, which has
/// one registration for each key that it read (`Link`). The observer list does not retain its
/// registrations. An observer is retained by its token, so that releasing the token ends the
/// observation (P32), a link by its derived value, and a watch over a weak property by the property's
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
  ///
  /// An observer that is registered while a change is prepared is not notified of it (P13), but a
  /// path that reaches the object then is (P11).
  @usableFromInline
  @exclusivity(unchecked)
  var firstSnapshot: UInt64 = 0
  /// The epoch of the key's pairs in which it was attached (P19).
  @usableFromInline
  let pairEpoch = Atomic<UInt32>(0)
  /// Whether it comes with the registration of an observer.
  var comesWithObserver: Bool { true }

  @usableFromInline
  init(needs: ObserverNeeds, receive: @escaping Receive) {
    self.needs = needs
    requestedNeeds = needs
    self.receive = receive
    ThreadState.current.forgetFormerObserver(
      at: ObserverIdentity(Unmanaged.passUnretained(self).toOpaque()))
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

  final func markEnded() {
    lastSnapshot.store(0, ordering: .releasing)
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

  /// The observation on whose behalf this is attached.
  var observation: Registration { self }
  /// Whether it is attached on behalf of another one.
  final var isLink: Bool { observation !== self }

  final var identity: ObserverIdentity {
    ObserverIdentity(Unmanaged.passUnretained(observation).toOpaque())
  }

  /// Takes a phase of a delivery that does not reach the observer, because its callback causes
  /// a loop.
  func skip(_ delivery: UnsafeMutablePointer<Delivery>) {}

  /// Notes that a transaction changes the key again, of which it has received a prior notification, after all changes
  /// before were taken back.
  func changeIsMade(_ delivery: UnsafeMutablePointer<Delivery>) {}

  /// Notes that a change is not delivered of which it has received a prior notification.
  func changeAbandoned() {}

  /// Takes back what it has noted of a change that will not reach it.
  func forget(_ delivery: UnsafeMutablePointer<Delivery>) {}

  /// Whether `sourceDeleted` may still be pending after `subjectDeallocated()` returns, so that the token
  /// must stay able to cancel it (P31).
  var outlivesSubject: Bool { false }

  /// Calls a closure when `sourceDeleted` has been delivered that is pending, unless the observer is released there
  /// anyway, as on an actor.
  func afterDeletion(_ body: @escaping () -> Void) {}

  /// Notifies that the object with the observed key was deallocated, after the registration was detached.
  func subjectDeallocated() {}

  /// Lets go of what the observation holds elsewhere, after it was detached from its subject.
  func didEnd() {}

  // MARK: Of an observation that is attached to several keys

  /// The object from which a path leads to the observed key; nil if the observation is of the key itself.
  var root: AnyObject? { nil }

  /// Whether another registration of the same observation has replaced this one at the same key.
  var isReplaced: Bool { false }

  /// Whether it keeps changes that may have to wait for older ones.
  var isDerived: Bool { false }

  /// Delivers changes that have waited for an older one.
  func deliverWaiting() {}

  /// Whether the observation has a change with a number that is still to be delivered at a registration.
  func isToDeliver(_ number: UInt64, at registration: Registration) -> Bool { true }

  /// The registrations at the key that the observation computes; none if it computes no key.
  var outputRegistrations: [Registration] { [] }

  /// Ends an observation that computes a key, which no longer has observers.
  func endOutput() {}

  /// The delivery of a change with a number to the observers of that key, if it has begun and is not over.
  func outputDelivery(of number: UInt64) -> UnsafeMutablePointer<Delivery>? { nil }

  /// The delivery to the observers of that key of the last change that this thread has made before the one with
  /// a number, and has yet to deliver.
  func outputDeliveryToAwait(before number: UInt64) -> UnsafeMutablePointer<Delivery>? { nil }

  /// The value of that key from which the change with a number starts, if its observers request it.
  func outputValue(before number: UInt64) -> AnyValueBox? { nil }

  /// Makes one of a change of that key itself, and the change with a number.
  ///
  /// - `others`: The observers in whose names it was made.
  ///
  /// Returns the observers that both pass over.
  func joinOutputChange(
    _ number: UInt64, excluding others: Set<ObserverIdentity>
  ) -> Set<ObserverIdentity> { others }

  /// Lets the change of that key with a number wait for another one, which is about to be delivered, with those of
  /// observers that were registered in the transaction.
  func leaveOutputChange(_ number: UInt64, to delivery: UnsafeMutablePointer<Delivery>) {}

  /// Evaluates what may have been read before the change that has just been made.
  func catchUp() {}

  /// Whether its key is one on a path.
  var isOfPath: Bool { false }

  /// Notes that a change was made of which it is not notified, since that began before it was attached (P13).
  ///
  /// No change of the key is waiting that it is to receive.
  func changeMissed() {}

  /// Traps where the state of the observation contradicts itself.
  func checkInvariants() {}
}

/// The position of a registration among the observers of a key.
enum NotificationOrder {
  /// An observer of the key itself.
  case observer
  /// A dependent of the key, which is notified of a change after the key's observers (P10): a computed key, or a path
  /// that reads the key for the sake of one.
  case dependent
}
