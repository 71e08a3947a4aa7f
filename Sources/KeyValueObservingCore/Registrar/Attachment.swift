public import Synchronization

/// One observer's place in the audience of one key of one object.
///
/// Most observers are closures that stand in the audience themselves (`Entry`). Whoever has to be
/// told more than an after-change is an attachment: an observer of priors or of its subject's
/// death, a string key, and whatever reads its way along a path, which has one for each key that it
/// read (`Link`). The audience does not retain its attachments. An observer is kept by its token, so
/// that dropping the token ends the observation (P32), a link by its expression, and a watch over a
/// weak property by the property's slot.
@usableFromInline
class Attachment {
  @usableFromInline
  typealias Receive = (Attachment, UnsafeMutablePointer<Delivery>) -> Void

  /// What a change has to prepare for this attachment.
  @usableFromInline
  let demand: Demand
  /// The part of it for which each change has to prepare now.
  ///
  /// Where it asks for more on behalf of another observer, the attachment takes its share. Guarded
  /// by the lock of the slot's context.
  @exclusivity(unchecked)
  final var requestedDemand: Demand
  var rank = Rank.observer
  var index: Int32 = -1
  /// Takes one phase of a delivery: after a change, and before it if that is demanded.
  ///
  /// A stored closure, because one that is made where the types are known is specialised, while an
  /// overridden method of a generic class is not: this is most of what one more observer costs.
  @usableFromInline
  let receive: Receive
  /// Where it is attached.
  ///
  /// Guarded by the lock of the slot's context, like its place and its rank.
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
  /// An observer that is registered while a change is prepared does not hear of it (P13), but a
  /// path that reaches the object then does (P11).
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
    // A thread that puts a change off asks for this after it has said so (`Link.detach`).
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

  /// Whether what it has to say of its subject's death is still to be said when `subjectDied()`
  /// returns, so that its token must be able to end it even then (P31).
  var outlivesSubject: Bool { false }

  /// Tells that the object with the slot is gone.
  ///
  /// The attachment is detached already.
  func subjectDied() {}

  /// Lets go of what the observation holds elsewhere, after it was detached from its subject.
  func didEnd() {}
}

/// Where an attachment stands in an audience.
enum Rank {
  /// An observer of the key itself.
  case observer
  /// Something that is computed from the key, which hears of a change after its observers (P10).
  case dependent
}
