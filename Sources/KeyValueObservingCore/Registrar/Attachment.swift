public import Synchronization

/// One registration of an observer for one key of one object.
///
/// Most observers are closures that are registered themselves (`Entry`). Observers that receive
/// more than did-change notifications are attachments: observers of prior notifications or of the
/// observed object's deallocation, string keys, and everything that reads along a path, which has
/// one attachment for each key that it read (`Link`). The observer list does not retain its
/// attachments. An observer is retained by its token, so that releasing the token ends the
/// observation (P32), a link by its expression, and a watch over a weak property by the property's
/// slot.
@usableFromInline
class Attachment {
  @usableFromInline
  typealias Receive = (Attachment, UnsafeMutablePointer<Delivery>) -> Void

  /// The values and phases that a change has to prepare for this attachment.
  @usableFromInline
  let demand: Demand
  /// The part of the demand for which each change has to prepare now.
  ///
  /// The attachment takes its share if it requests more on behalf of another observer. Guarded by
  /// the lock of the slot's context.
  @exclusivity(unchecked)
  final var requestedDemand: Demand
  var rank = Rank.observer
  var index: Int32 = -1
  /// Receives one phase of a delivery: after a change, and before it if that is demanded.
  ///
  /// A stored closure, because one that is made where the types are known is specialized, while an
  /// overridden method of a generic class is not: this is most of the cost of one more observer.
  @usableFromInline
  let receive: Receive
  /// The slot to which it is attached.
  ///
  /// Guarded by the lock of the slot's context, like its index and its rank.
  var unmanagedSlot: Unmanaged<Slot>?
  /// The token that keeps it, if it is kept by one.
  ///
  /// Guarded by the same lock, and in memory while set. Its end may have begun, so it must not be
  /// retained.
  var token: Unmanaged<KeyValueObservation>?

  /// The last round that may call it: the greatest number while it is attached, the round that had
  /// begun when it was detached, and none, 0, when the observation has ended (P13).
  @usableFromInline
  let lastRound = Atomic<UInt64>(.max)
  /// The first round that may call it.
  ///
  /// An observer that is registered while a change is prepared is not notified of it (P13), but a
  /// path that reaches the object then is (P11).
  @usableFromInline
  @exclusivity(unchecked)
  var firstRound: UInt64 = 0
  /// Whether it comes with the registration of an observer.
  var isRegistration: Bool { true }

  @usableFromInline
  init(demand: Demand, receive: @escaping Receive) {
    self.demand = demand
    requestedDemand = demand
    self.receive = receive
    ThreadState.current.endSilence(
      of: ObserverIdentity(Unmanaged.passUnretained(self).toOpaque()))
  }

  final var slot: Slot? { unmanagedSlot?.takeUnretainedValue() }

  /// Whether the observation has ended, so that nothing may be delivered to it any more.
  @inlinable
  final var hasEnded: Bool {
    lastRound.load(ordering: .acquiring) == 0
  }

  /// Whether a round of its slot may call it.
  @inlinable
  final func isAudience(of round: Round) -> Bool {
    round.latestNumber <= lastRound.load(ordering: .acquiring)
      && (!round.isExtended || firstRound <= round.number)
  }

  final func markEnded() {
    lastRound.store(0, ordering: .releasing)
  }

  /// Notes that rounds after `round` may not call it, though it still has a place.
  final func leave(after round: UInt64) {
    // A thread that defers a change reads this after it has noted that (`Link.detach`).
    _ = lastRound.compareExchange(
      expected: .max, desired: round, ordering: .sequentiallyConsistent)
  }

  /// Lets rounds up to `round` call it again, after it has left.
  final func stay(until round: UInt64) {
    let left = lastRound.load(ordering: .relaxed)
    if left != 0 {
      _ = lastRound.compareExchange(expected: left, desired: round, ordering: .relaxed)
    }
  }

  /// The observation on whose behalf this is attached.
  var observation: Attachment { self }

  final var identity: ObserverIdentity {
    ObserverIdentity(Unmanaged.passUnretained(observation).toOpaque())
  }

  /// Takes a phase of a delivery that does not reach the observer, because its callback keeps the
  /// delivery from settling.
  func skip(_ delivery: UnsafeMutablePointer<Delivery>) {}

  /// Takes back what it has noted of a change that will not reach it.
  func forget(_ delivery: UnsafeMutablePointer<Delivery>) {}

  /// Whether `sourceDeleted` may still be pending after `subjectDied()` returns, so that the token
  /// must stay able to cancel it (P31).
  var outlivesSubject: Bool { false }

  /// Notifies that the object with the slot was deallocated, after the attachment was detached.
  func subjectDied() {}

  /// Lets go of what the observation holds elsewhere, after it was detached from its subject.
  func didEnd() {}
}

/// The position of an attachment among the observers of a key.
enum Rank {
  /// An observer of the key itself.
  case observer
  /// A dependent of the key, which is notified of a change after the key's observers (P10).
  case dependent
}
