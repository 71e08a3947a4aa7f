/// The values and phases that a change has to prepare for its observers.
@usableFromInline
struct ObserverNeeds: OptionSet {
  // Wider than the bits that `NeedCounts` counts, for `distinct`.
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

  /// The object from which a path leads to the key, which a callback of this change may release (P14).
  @inlinable static var root: ObserverNeeds { ObserverNeeds(rawValue: 16) }

  /// The mutation of a collection's elements.
  @inlinable static var edit: ObserverNeeds { ObserverNeeds(rawValue: 32) }

  // In one byte with the needs that are tested with it (row: set, 1 observer).
  /// The change waits for a delivery of the same observed key that may be running.
  ///
  /// No observer needs this.
  @inlinable static var turn: ObserverNeeds { ObserverNeeds(rawValue: 64) }

  /// The key depends on others, so that its changes are ordered among theirs.
  ///
  /// No observer needs this.
  @inlinable static var dependence: ObserverNeeds { ObserverNeeds(rawValue: 128) }

  // Above the bits that `NeedCounts` counts.
  /// The value of each change of which it is not notified, with which it compares the next one.
  ///
  /// Changes prepare nothing for it.
  @inlinable static var distinct: ObserverNeeds { ObserverNeeds(rawValue: 256) }

  /// The needs of computed keys and paths: each has one of them, and no other observer has any.
  @inlinable static var ofLinks: ObserverNeeds { [.phases, .root] }

  /// Whether a change needs nothing but a call of each observer after it.
  @inlinable var needsOnlyCalls: Bool {
    isDisjoint(with: [.prior, .phases, .edit, .turn, .dependence])
  }

  /// Whether a change needs no more than that from beginning to end: no observer that is called can release what
  /// another one needs.
  @inlinable var isSimple: Bool {
    isDisjoint(with: [.prior, .phases, .edit, .turn, .dependence, .root])
  }
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
