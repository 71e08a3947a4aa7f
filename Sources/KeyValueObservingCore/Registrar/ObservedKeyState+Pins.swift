internal import CKeyValueObserving

// The deliveries that read the lists.
extension ObservedKeyState {
  // In two steps, the second of which changes the snapshot where it lies (row: set, 1 observer).
  /// Fixes the observers of a change that begins now.
  ///
  /// `pinDependents(_:)` adds the dependents, which the change leaves out otherwise.
  ///
  /// - `beginsPair`: Whether a second call completes the change, so that observers that are registered from now on
  ///   are to be distinguished from them.
  @inline(__always)
  mutating func pin(beginsPair: Bool = false) -> ObserverSnapshot {
    let turn: ObserverNeeds = pins > 0 ? .turn : []
    pins &+= 1
    snapshotCount &+= 1
    var snapshot = ObserverSnapshot(
      observers: observers.buffer, number: snapshotCount, observerCount: observers.count,
      closureCount: observers.count, catchUpCount: catchUpCount,
      needs: needCounts.union.union(turn))
    if beginsPair { snapshot.pairEpoch = beginEpoch() }
    return snapshot
  }

  /// Completes what `pin()` began.
  ///
  /// Few observed keys have dependents, or depend on others.
  func pinDependents(_ snapshot: inout ObserverSnapshot) {
    guard let extras else { return }
    snapshot.dependents = extras.dependents.buffer
    snapshot.dependentCount = extras.dependents.count
    if extras.computedKey != nil { snapshot.needs.insert(.dependence) }
  }

  /// Adds observers to the snapshot of a change that is about to be made that were attached since it began
  /// to be prepared.
  ///
  /// Returns the observers that were detached since then, which it will not call.
  mutating func extend(_ snapshot: inout ObserverSnapshot) -> [Registration] {
    let ended = registrations(endedSince: snapshot)
    renumber(&snapshot)
    snapshot.closureCount = index(snapshot.closureCount, amongObserversOf: snapshot)
    snapshot.observers = observers.buffer
    snapshot.observerCount = observers.count
    if snapshot.isOfPair {
      observers.moveArrivals(to: snapshot)
      extras?.dependents.moveArrivals(to: snapshot)
    }
    // Keeps the needs of detached observers: the change can no longer take the fast path.
    snapshot.needs.formUnion(needCounts.union)
    pinDependents(&snapshot)
    return ended
  }

  /// Removes observers that detached during the change from the snapshot, except key paths that
  /// reattached, whose new index is not in it.
  ///
  /// Returns the removed observers.
  mutating func dropDetached(from snapshot: inout ObserverSnapshot) -> [Registration] {
    let ended = registrations(endedSince: snapshot)
    if ended.isEmpty { return [] }
    renumber(&snapshot)
    return ended.filter { registration in
      // Takes the lock of the derived value inside that of the observed key, which is never done
      // the other way.
      if registration.link?.isReplaced != true { return true }
      registration.stay(until: snapshotCount)
      return false
    }
  }

  /// The registrations that were detached since a snapshot began, or was last given a number.
  private func registrations(endedSince snapshot: ObserverSnapshot) -> [Registration] {
    guard let extras else { return [] }
    return ((extras.retired?.registrations ?? []) + extras.ended).filter {
      $0.lastSnapshot.load(ordering: .relaxed) >= snapshot.latestNumber
    }
  }

  /// Gives a snapshot a number of its own, because one that began meanwhile still calls observers that have ended.
  private mutating func renumber(_ snapshot: inout ObserverSnapshot) {
    snapshotCount += 1
    snapshot.extensionDistance = UInt32(clamping: snapshotCount - snapshot.number)
  }

  // MARK: Observers that came later

  /// The registrations that came after the observer list of `snapshot` was fixed, which is nil where there
  /// was none; nil if none of them has to catch up.
  ///
  /// Derived values may have read what the change has replaced meanwhile.
  func registrationsAttached(since snapshot: ObserverSnapshot?) -> [Registration]? {
    if catchUpCount == snapshot?.catchUpCount ?? 0 { return nil }
    guard let snapshot else { return registrations() }
    // The change evaluates those that it notifies, each once (P15).
    if snapshot.isOfPair {
      return registrations().filter {
        $0.pairEpoch.load(ordering: .relaxed) > snapshot.pairEpoch
      }
    }
    let observerEnd = index(snapshot.observerCount, amongObserversOf: snapshot)
    let dependentEnd = indexOfEnd(amongDependentsOf: snapshot)
    if snapshot.isExtended {
      return registrations().filter {
        $0.isRegisteredAfter(snapshot)
          || $0.index >= ($0.order == .observer ? observerEnd : dependentEnd)
      }
    }
    return registrations(from: observerEnd, dependentEnd)
  }

  /// Whether a registration came after the observer list of a snapshot was fixed.
  func isAttached(_ registration: Registration, since snapshot: ObserverSnapshot) -> Bool {
    switch registration.order {
    case .observer:
      registration.index >= index(snapshot.observerCount, amongObserversOf: snapshot)
    case .dependent: registration.index >= indexOfEnd(amongDependentsOf: snapshot)
    }
  }

  /// The registrations that are attached, from an index among the observers and one among the dependents on.
  func registrations(from first: Int32 = 0, _ firstDependent: Int32 = 0) -> [Registration] {
    observers.registrations(from: first)
      + (extras?.dependents.registrations(from: firstDependent) ?? [])
  }

  /// The present index of the first observer that is at an index of a snapshot or behind it, and still attached.
  private func index(_ index: Int32, amongObserversOf snapshot: ObserverSnapshot) -> Int32 {
    guard let retired = extras?.retired, let first = snapshot.observers else { return index }
    return retired.observers.index(index, behind: first) ?? index
  }

  private func indexOfEnd(amongDependentsOf snapshot: ObserverSnapshot) -> Int32 {
    let end = snapshot.dependentCount
    guard let retired = extras?.retired, let first = snapshot.dependents else { return end }
    return retired.dependents.index(end, behind: first) ?? end
  }

  // MARK: Ending

  /// Ends what `pin()` began, if nothing is kept that only deliveries need.
  ///
  /// Returns false, and does nothing, if there is.
  @inline(__always)
  mutating func unpinUnlessSweepIsDue() -> Bool {
    if isSweepDue { return false }
    pins &-= 1
    return true
  }

  /// Whether something is kept that only deliveries need.
  private var isSweepDue: Bool {
    @inline(__always) get {
      extras.map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef { $0.isSweepDue } ?? false
    }
  }

  /// Ends what `pin()` began for the snapshot with a number.
  ///
  /// Returns what the caller must release outside the lock, since no delivery reads it any more.
  mutating func unpin(_ number: UInt64) -> IdleParts? {
    pins -= 1
    guard isSweepDue, let extras else { return nil }
    let retired = extras.unpinRetired(number)
    if pins > 0, isMostlyVacant, extras.retired == nil, !keepsIndexes { compact() }
    retired?.deallocate()
    if pins == 0 { return sweep(with: retired) }
    return retired.map {
      let parts = IdleParts()
      (parts.closures, parts.registrations) = ($0.closures, $0.registrations)
      return parts
    }
  }

  /// Removes all that deliveries needed.
  private mutating func sweep(with retired: RetiredEntries?) -> IdleParts? {
    guard let extras else { return nil }
    let closures = observers.sweep()
    _ = extras.dependents.sweep()
    extras.deallocateOutgrownBuffers()
    extras.isSweepDue = false
    let parts = takeIdleComputation() ?? IdleParts()
    parts.closures = (retired?.closures ?? []) + closures
    parts.registrations = (retired?.registrations ?? []) + exchange(&extras.ended, with: [])
    return parts
  }

  // Both lists, since the registrations that had been detached from either are released together.
  /// Leaves the entries to the deliveries that read them, and goes on with those that are attached.
  private mutating func compact() {
    let extras = madeExtras()
    extras.retired = RetiredEntries(
      lastNumber: snapshotCount, pins: pins,
      observers: observers.compact(after: exchange(&extras.outgrown, with: [])),
      dependents: extras.dependents.compact(after: exchange(&extras.outgrownDependents, with: [])),
      registrations: exchange(&extras.ended, with: []))
  }

  /// Whether the entries of observers that have ended are most of those that a delivery reads.
  private var isMostlyVacant: Bool {
    observers.isMostlyVacant || extras?.dependents.isMostlyVacant ?? false
  }

  /// Notes that a part of a transaction remembers observers by their indexes, until `removeIndexKeeper()`.
  mutating func addIndexKeeper() { madeExtras().indexKeeperCount += 1 }

  @inline(__always)
  func removeIndexKeeper() {
    extras.map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef { $0.indexKeeperCount -= 1 }
  }

  /// Whether a transaction may remember observers by their indexes.
  ///
  /// It takes snapshots of a computed key with the first change of an input, before anything of it is known here, and
  /// compares them with those of changes of the key itself.
  private var keepsIndexes: Bool {
    extras?.indexKeeperCount ?? 0 > 0 || isComputed && kvo_has_transactions()
  }
}
