/// The values and phases that a change has to prepare for its observers.
@usableFromInline
struct ObserverNeeds: OptionSet {
  // So wide that a `Delivery` has no gap.
  @usableFromInline
  let rawValue: UInt16

  @inlinable
  init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  @inlinable static var old: ObserverNeeds { ObserverNeeds(rawValue: 1) }
  @inlinable static var new: ObserverNeeds { ObserverNeeds(rawValue: 2) }
  @inlinable static var prior: ObserverNeeds { ObserverNeeds(rawValue: 4) }
  /// Notifications before the change and right after it, ahead of every callback: a dependent
  /// captures its own old value, and then its new one.
  @inlinable static var phases: ObserverNeeds { ObserverNeeds(rawValue: 8) }

  /// To be reached from an object that a callback of this change may release (P14).
  @inlinable static var root: ObserverNeeds { ObserverNeeds(rawValue: 16) }

  /// The mutation of a collection's elements, which only observers of changes need.
  @inlinable static var edit: ObserverNeeds { ObserverNeeds(rawValue: 32) }

  /// To wait for a delivery of the same observed key that may be running.
  ///
  /// Only changes need this.
  @inlinable static var turn: ObserverNeeds { ObserverNeeds(rawValue: 64) }

  /// To be delivered at the end of a transaction.
  ///
  /// Only changes need this.
  @inlinable static var transaction: ObserverNeeds { ObserverNeeds(rawValue: 128) }

  /// To be delivered to the observers of the key, and to computed keys and paths later.
  ///
  /// Only changes in a transaction need this.
  @inlinable static var observersOnly: ObserverNeeds { ObserverNeeds(rawValue: 256) }

  /// To be delivered only to observers of prior notifications: a transaction has put the value back.
  ///
  /// Only changes need this.
  @inlinable static var takenBack: ObserverNeeds { ObserverNeeds(rawValue: 512) }

  /// To be delivered by the transaction that was begun for it, since a binding observes the key.
  ///
  /// Only changes need this.
  @inlinable static var joined: ObserverNeeds { ObserverNeeds(rawValue: 1024) }

  /// To be made by a mutation in place, which may end on another thread.
  ///
  /// Only changes need this.
  @inlinable static var inPlace: ObserverNeeds { ObserverNeeds(rawValue: 2048) }

  /// To be made only for observers that were registered in the transaction, which have found a value that it has
  /// put back.
  ///
  /// Only changes need this.
  @inlinable static var lateObserversOnly: ObserverNeeds { ObserverNeeds(rawValue: 8192) }

  /// To take note of the values of which it is not notified, with which it compares the next one.
  ///
  /// Only observers need this, and changes need not prepare for it.
  @inlinable static var distinct: ObserverNeeds { ObserverNeeds(rawValue: 4096) }

  /// Whether a change needs nothing but a call of each observer after it.
  @inlinable var needsOnlyCalls: Bool { isDisjoint(with: [.prior, .phases, .edit, .turn]) }

  /// Whether a change needs no more than that from beginning to end: none who is called can release what
  /// another one needs.
  @inlinable var isSimple: Bool { isDisjoint(with: [.prior, .phases, .edit, .turn, .root]) }
}

extension ObserverNeeds {
  @inlinable
  init(_ options: KeyValueObservation.Options) {
    self = []
    if options.contains(.old) { insert(.old) }
    if options.contains(.new) { insert(.new) }
    if options.contains(.prior) { insert(.prior) }
    if options.contains(.distinct) { insert(.distinct) }
  }
}
