/// The state that few observed keys need: dependents, manual pairs, a computed key, a weak property, a source,
/// or observers that end during deliveries.
///
/// Guarded like the state that keeps it, so checks for exclusive access would be redundant.
final class ObservedKeyExtras {
  @exclusivity(unchecked)
  var dependents = ObserverList()
  /// The registrations that were detached while a delivery read the observer list.
  @exclusivity(unchecked)
  var ended: [Registration] = []
  /// Whether something is kept that only deliveries need: detached registrations and closures, outgrown buffers.
  @exclusivity(unchecked)
  var isSweepDue = false
  /// The buffers that the observers had before there were too many, and those of the dependents: an
  /// index in one list is none in the other.
  @exclusivity(unchecked)
  var outgrown: [OutgrownBuffer] = []
  @exclusivity(unchecked)
  var outgrownDependents: [OutgrownBuffer] = []
  /// The entries that deliveries read which began before the lists were compacted.
  @exclusivity(unchecked)
  var retired: RetiredEntries?
  /// How many parts of transactions remember observers by their indexes, so that the lists are not compacted.
  @exclusivity(unchecked)
  var indexKeeperCount: Int32 = 0
  /// Counts the pairs of `willChangeValue` and `didChangeValue` that have begun, so that one knows the
  /// observers that were registered after it.
  @exclusivity(unchecked)
  var pairEpoch: UInt32 = 0
  /// The manual changes that have begun.
  @exclusivity(unchecked)
  var manualPairs: [ManualPair] = []
  /// The changes of the key that are delivered at the ends of transactions, a `PendingKey` of the layer that delivers
  /// for each thread, and more where callbacks open transactions.
  ///
  /// This is the newest, which leads to the others. The transactions retain them.
  @exclusivity(unchecked)
  var pendingKey: Unmanaged<AnyObject>?
  /// The rank that a binding has given to the key last.
  @exclusivity(unchecked)
  var givenRank: GivenRank?
  /// The property with the key, once a transaction has looked it up.
  @exclusivity(unchecked)
  var property: KeyValueProperty?
  /// Computes the key, if it is one that depends on others, while it is observed.
  var computedKey: (any KeyComputing)?
  /// Watch the object in the property, if it is a weak one, while it is observed.
  @exclusivity(unchecked)
  var targets = TargetRegistrations()
  /// The classes of former targets since the key is observed whose deallocation cannot be watched.
  @exclusivity(unchecked)
  var silentClasses: Set<ObjectIdentifier> = []

  /// Notifies the object of whether the key is observed, if it is a source.
  var observance: Observance?

  /// Notes the end of a delivery with the snapshot of a number.
  ///
  /// Returns the retired entries if it was the last one that read them.
  func unpinRetired(_ number: UInt64) -> RetiredEntries? {
    guard let lastNumber = retired?.lastNumber, number <= lastNumber else { return nil }
    retired?.pins -= 1
    return retired?.pins == 0 ? retired.take() : nil
  }

  func deallocateOutgrownBuffers() {
    for buffer in outgrown + outgrownDependents { buffer.deallocate() }
    outgrown = []
    outgrownDependents = []
  }
}

// An object, since most often there is none (row: top link replaced).
/// Parts that an observed key no longer needs, to be ended outside the lock.
final class IdleParts {
  var closures: [AnyHandler] = []
  /// Only released, outside the lock, as the pairs are, which keep values.
  var registrations: [Registration] = []
  var manualPairs: [ManualPair] = []
  /// Computes the key.
  var computedKey: Registration?
  var targets: [TargetRegistration] = []
  var observance: Observance?

  func end() {
    for closure in closures { closure.release() }
    computedKey?.end()
    for target in targets { target.end() }
    observance?.notifyUntilCurrent()
  }
}
