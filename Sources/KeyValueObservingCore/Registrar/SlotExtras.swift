/// The state of slots with dependents, a weak property, or observers that end during deliveries.
///
/// Guarded like the state that keeps it, so checks for exclusive access would be redundant.
final class SlotExtras {
  @exclusivity(unchecked)
  var dependents = Audience()
  /// Those who were detached while a delivery read the audience.
  @exclusivity(unchecked)
  var departed: [Attachment] = []
  /// Whether closures were detached meanwhile.
  var hasEndedClosures = false
  /// The places that the observers had before there were too many, and those of the dependents: a
  /// place among the ones is none among the others.
  @exclusivity(unchecked)
  var outgrown: [OutgrownBuffer] = []
  @exclusivity(unchecked)
  var outgrownDependents: [OutgrownBuffer] = []
  /// The changes by hand that have begun.
  @exclusivity(unchecked)
  var openPairs: [OpenPair] = []
  /// Computes the key, if it is one that depends on others, while it is observed.
  var dependentKey: DependentKey?
  /// Watch the object in the property, if it is a weak one, while it is observed.
  @exclusivity(unchecked)
  var deathWatches = DeathWatches()
  /// The classes of former targets since the slot is observed whose deallocation cannot be watched.
  @exclusivity(unchecked)
  var silentClasses: Set<ObjectIdentifier> = []

  /// Notifies the object of whether the key is observed, if it is a source.
  var observance: Observance?

  var hasOutgrownBuffers: Bool { !outgrown.isEmpty || !outgrownDependents.isEmpty }

  func deallocateOutgrownBuffers() {
    for buffer in outgrown + outgrownDependents { buffer.deallocate() }
    outgrown = []
    outgrownDependents = []
  }

  /// Takes out what works only while the slot is observed.
  ///
  /// - `isTracked`: Whether the object in a weak property is watched all the same.
  func takeIdleParts(with pairs: [OpenPair] = [], isTracked: Bool) -> IdleParts? {
    silentClasses = []
    let watches = isTracked ? [] : deathWatches.take { _ in true }
    if dependentKey == nil, watches.isEmpty, pairs.isEmpty, observance == nil { return nil }
    let parts = IdleParts(
      dependentKey: dependentKey, deathWatches: watches, openPairs: pairs, observance: observance)
    dependentKey = nil
    return parts
  }
}

/// Observers that were detached while deliveries read the observer list.
///
/// Release them outside the lock.
struct Departed {
  let closures: [ErasedHandler]
  let attachments: [Attachment]

  /// Lets go of the closures.
  ///
  /// The attachments go with this.
  func release() {
    for closure in closures { closure.release() }
  }
}

/// Parts that a slot no longer needs without observers.
///
/// End them outside the lock.
struct IdleParts {
  let dependentKey: DependentKey?
  let deathWatches: [DeathWatch]
  let openPairs: [OpenPair]
  let observance: Observance?

  func end() {
    dependentKey?.end()
    for watch in deathWatches { watch.end() }
    observance?.settle()
  }
}
