/// The audience of one change: fixed when the change begins (P13).
@usableFromInline
struct Round {
  // Ordered so that there is no gap between the fields: Swift copies gaps, which stalls a set.
  @usableFromInline
  var observers: Audience.Buffer?
  @usableFromInline
  var dependents: Audience.Buffer? = nil
  /// Counts the rounds of the slot.
  @usableFromInline
  var number: UInt64
  @usableFromInline
  var observerCount: Int32
  @usableFromInline
  var dependentCount: Int32 = 0
  /// The end of the closures to call.
  ///
  /// Closures that are registered while a change is prepared are not notified of it (P13), though
  /// paths that reach the object then are added (P11).
  @usableFromInline
  var closureCount: Int32
  /// How many expressions had been attached to the slot until then.
  @usableFromInline
  var expressionCount: UInt32
  /// How many rounds had begun after it when it was extended by those who came while the change was
  /// prepared; 0 if it was not.
  @usableFromInline
  var extensionDistance: UInt32 = 0
  @usableFromInline
  var demand: Demand

  /// Whether another delivery of the slot may be running.
  var mayBeNested: Bool {
    get { demand.contains(.turn) }
    set { if newValue { demand.insert(.turn) } else { demand.remove(.turn) } }
  }

  var count: Int32 { observerCount + dependentCount }

  /// Whether it was extended by those who came while the change was prepared.
  @inlinable var isExtended: Bool { extensionDistance != 0 }

  /// Its number among the rounds of the slot since it was extended.
  @inlinable var latestNumber: UInt64 { number &+ UInt64(extensionDistance) }

  /// Whether another round of the slot reads the same places, and neither was extended.
  func hasSamePlaces(as other: Round) -> Bool {
    observers == other.observers && observerCount == other.observerCount
      && dependents == other.dependents && dependentCount == other.dependentCount
      && !isExtended && !other.isExtended
  }
}
