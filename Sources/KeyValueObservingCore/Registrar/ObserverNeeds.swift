/// The values and phases that a change has to prepare for its observers, and what is known of its delivery.
@usableFromInline
struct ObserverNeeds: OptionSet {
  // So wide that a `Delivery` has no gap.
  @usableFromInline
  let rawValue: UInt16

  @inlinable
  init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  // MARK: Needs of observers

  @inlinable static var old: ObserverNeeds { ObserverNeeds(rawValue: 1) }
  @inlinable static var new: ObserverNeeds { ObserverNeeds(rawValue: 2) }
  @inlinable static var prior: ObserverNeeds { ObserverNeeds(rawValue: 4) }
  /// Notifications before the change and right after it, ahead of every callback: a dependent
  /// captures its own old value, and then its new one.
  @inlinable static var phases: ObserverNeeds { ObserverNeeds(rawValue: 8) }

  /// The object from which a path leads to the key, which a callback of this change may release (P14).
  @inlinable static var root: ObserverNeeds { ObserverNeeds(rawValue: 16) }

  /// The mutation of a collection's elements.
  @inlinable static var edit: ObserverNeeds { ObserverNeeds(rawValue: 32) }

  // In one byte with the needs that are tested with it (row: set, 1 observer).
  /// The change waits for a delivery of the same observed key that may be running.
  ///
  /// No observer needs this.
  @inlinable static var turn: ObserverNeeds { ObserverNeeds(rawValue: 64) }

  // MARK: Needs of observers alone, and states of changes: above the bits that `NeedCounts` counts

  /// The value of each change of which it is not notified, with which it compares the next one.
  @inlinable static var distinct: ObserverNeeds { ObserverNeeds(rawValue: 256) }

  /// The change is made by a mutation in place, which may end on another thread.
  @inlinable static var inPlace: ObserverNeeds { ObserverNeeds(rawValue: 512) }

  /// The change is delivered by the transaction that was begun for it, since a binding observes the key.
  @inlinable static var joined: ObserverNeeds { ObserverNeeds(rawValue: 1024) }

  /// The change is delivered at the end of a transaction.
  @inlinable static var transaction: ObserverNeeds { ObserverNeeds(rawValue: 2048) }

  /// The change is delivered to the observers of the key; computed keys and paths deliver theirs later.
  @inlinable static var observersOnly: ObserverNeeds { ObserverNeeds(rawValue: 4096) }

  /// The change is delivered only to observers of prior notifications: a transaction has put the value back.
  @inlinable static var takenBack: ObserverNeeds { ObserverNeeds(rawValue: 8192) }

  /// The change is made only for observers that were registered in the transaction, which have found a value
  /// that it has put back.
  @inlinable static var lateObserversOnly: ObserverNeeds { ObserverNeeds(rawValue: 16384) }

  /// Whether a change needs nothing but a call of each observer after it.
  @inlinable var needsOnlyCalls: Bool { isDisjoint(with: [.prior, .phases, .edit, .turn]) }

  /// Whether a change needs no more than that from beginning to end: no observer that is called can release what
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
