/// One change of one key on its way to its observers.
///
/// A registration receives its phases. The functions that run them are in the folder Notifying: see "Life of
/// a change" in Delivery+Phases.swift.
///
/// It lives on the stack of the function that makes the change; that of a mutation block is in memory of its
/// own, that of a computed key in its `DerivedChange`, that of a transaction in its `PendingChange`, and a mutation
/// in place copies it to its end.
@usableFromInline
struct Delivery {
  @usableFromInline
  enum Phase {
    /// Before prior notifications are sent: computed keys fix their observers.
    case fixObservers
    /// Before the change, for observers that request prior notifications.
    case prior
    /// Right before the change: dependents capture their old values.
    case capture
    /// After a body in which the thread has made other changes: dependents give the change its position behind
    /// those.
    case renumber
    /// Right after the change: dependents are evaluated.
    case settle
    /// The change waits for a running delivery of the key: paths that end in the key make its value the old one of
    /// changes that they have begun before it.
    case wait
    /// After the change: the observers are called.
    case deliver
    /// The change is not going to be delivered, and dependents forget it. They leave to its `pair`, if there is one, the
    /// values that they have captured.
    case abandon
  }

  /// The kind of a change, and which of its observers it is delivered to.
  @usableFromInline
  struct Traits: OptionSet {
    @usableFromInline
    let rawValue: UInt8

    @usableFromInline
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It has no old value: the object in a weak property was deallocated, so that there is no time before (P27), or that
    /// of a computed key is not known.
    static var withoutOldValue: Traits { Traits(rawValue: 1) }

    /// It is delivered at the end of a transaction.
    static var transaction: Traits { Traits(rawValue: 2) }

    /// It is delivered to the observers of the key; computed keys and paths deliver theirs later.
    static var observersOnly: Traits { Traits(rawValue: 4) }

    /// It is delivered only to observers of prior notifications: a transaction has put the value back.
    static var takenBack: Traits { Traits(rawValue: 8) }

    /// It is delivered only to observers that were registered in the transaction, after a rollback that has given the key
    /// an older value than they have found.
    static var lateObserversOnly: Traits { Traits(rawValue: 16) }

    /// It is that of a mutation block, with which a path that ends in the key has begun a change of its own: such a path
    /// receives it in all phases (`DerivedValue.beginChangeWithBlock`).
    static var receivedInPhases: Traits { Traits(rawValue: 32) }
  }

  // Ordered so that there is no gap between the fields: Swift copies gaps, which stalls a set.
  @usableFromInline
  let observedKey: Unmanaged<ObservedKey>
  @usableFromInline
  let subject: Unmanaged<AnyObject>
  /// The old and the new value, of the property's own type, for as long as the phase takes.
  @usableFromInline
  var old: UnsafeRawPointer?
  @usableFromInline
  var new: UnsafeRawPointer?
  /// The mutation of a collection's elements, retained by the function that makes the change.
  @usableFromInline
  var edit: Unmanaged<Edit>?
  /// Identifies the change and orders it among others, if that has to be remembered.
  @usableFromInline
  var number: UInt64 = 0
  /// The pair that keeps what is captured, or that has kept it; not retained.
  var pair: Unmanaged<ManualPair>?
  /// The next delivery outward in its chain on this thread.
  ///
  /// A delivery is in one of three chains at a time: `preparation` while prior notifications are sent, `settlingDelivery`
  /// while dependents are evaluated, and `delivery` while observers are called.
  @usableFromInline
  var outer: UnsafeMutablePointer<Delivery>?
  /// The changes of the same observed key that wait until all observers have received this one, retained.
  @usableFromInline
  var backlog: Unmanaged<DeliveryBacklog>?
  @usableFromInline
  var snapshot: ObserverSnapshot
  /// The phase that is run.
  ///
  /// `deliver` from the beginning, because a change whose needs are simple runs no other.
  @usableFromInline
  var phase = Phase.deliver
  @usableFromInline
  var traits: Traits = []
  /// The number of its prior notifications, by which dependents recognize the change that they have
  /// begun for them; 0 if it has sent none.
  @usableFromInline
  var priorNumber: UInt16 = 0
  /// Its position among what is handed to actors.
  @usableFromInline
  var handOver = HandOver.none
  /// The observer being called: an index among the observers, or after them among the dependents.
  @usableFromInline
  var cursor: Int32 = -1
  /// Up to where observers that are alike may be called in one run; 0 where each is looked at first.
  @usableFromInline
  var runEnd: Int32 = 0

  @inline(__always)
  init(of subject: AnyObject, at observedKey: Unmanaged<ObservedKey>, _ snapshot: ObserverSnapshot)
  {
    self.subject = .passUnretained(subject)
    self.observedKey = observedKey
    self.snapshot = snapshot
  }

  /// Gives the change, which has just been made, its position among what is handed to actors.
  @inlinable
  @inline(__always)
  mutating func noteMade() {
    if handOver == .none { handOver = .last }
  }
}

extension Delivery {
  // Not a variable, which would be initialized twice: for Swift, and for its change. The stack is
  // not checked for what lies behind it: nothing is written there but its fields.
  /// Calls `body` with memory for a delivery, on the stack.
  @inlinable
  @inline(__always)
  static func withMemory<Result: ~Copyable>(
    _ body: (UnsafeMutablePointer<Delivery>) -> Result
  ) -> Result {
    _withUnprotectedUnsafeTemporaryAllocation(of: Delivery.self, capacity: 1) {
      body($0.baseAddress.unsafelyUnwrapped)
    }
  }
}

/// The objects and changes that a delivery keeps until it is over: in the layer that delivers, the changes that
/// wait for it (`WaitingChanges`).
@usableFromInline
class DeliveryBacklog {
  /// The starts of paths that lead to the observed key, kept since prior notifications of the change that
  /// is being delivered (P14).
  final var roots: [AnyObject] = []
}
