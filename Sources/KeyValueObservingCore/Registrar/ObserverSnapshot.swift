/// The observers of one change: fixed when the change begins (P13).
@usableFromInline
struct ObserverSnapshot {
  // Ordered so that there is no gap between the fields: Swift copies gaps, which stalls a set.
  @usableFromInline
  var observers: ObserverList.Buffer?
  @usableFromInline
  var dependents: ObserverList.Buffer? = nil
  /// Counts the snapshots of the observed key.
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
  /// `ObservedKeyState.catchUpCount` of then.
  @usableFromInline
  var catchUpCount: UInt32
  /// How many snapshots had been taken after it when it was extended by observers that were attached while
  /// the change was prepared; 0 if it was not.
  @usableFromInline
  var extensionDistance: UInt32 = 0
  /// The last epoch whose observers are notified, where a pair completes the change.
  @usableFromInline
  var pairEpoch = UInt32.max
  @usableFromInline
  var needs: ObserverNeeds

  var count: Int32 { observerCount &+ dependentCount }

  /// Whether paths end in the observed key.
  var hasRoots: Bool { needs.contains(.root) }

  /// The objects from which these paths lead to it.
  ///
  /// A callback may release one before the turn of its observer, which is to be notified nevertheless (P14).
  /// Only links to last keys need this, and they are among the observers.
  var roots: [AnyObject] {
    registrations(to: observerCount).compactMap { $0._withUnsafeGuaranteedRef { $0.link?.root } }
  }

  mutating func leaveOutDependents() {
    dependents = nil
    dependentCount = 0
  }

  /// Whether it was extended by observers that were attached while the change was prepared.
  @inlinable var isExtended: Bool { extensionDistance != 0 }

  /// Whether only the observers of a pair are notified.
  var isOfPair: Bool { pairEpoch != .max }

  /// Its number among the snapshots of the observed key since it was extended.
  @inlinable var latestNumber: UInt64 { number &+ UInt64(extensionDistance) }

  /// Whether another snapshot of the observed key reads the same indexes, and neither was extended.
  func hasSamePlaces(as other: ObserverSnapshot) -> Bool {
    observers == other.observers && observerCount == other.observerCount
      && dependents == other.dependents && dependentCount == other.dependentCount
      && !isExtended && !other.isExtended && pairEpoch == other.pairEpoch
  }
}

extension ObserverSnapshot {
  /// Whether a derived value is to receive the change by one of its links.
  func contains(
    _ derived: Registration, from first: Int32 = 0, to end: Int32? = nil,
    where isReceiving: (Registration) -> Bool = { _ in true }
  ) -> Bool {
    registrations(from: first, to: end).contains {
      $0._withUnsafeGuaranteedRef { registration in
        registration.observation === derived && registration.isNotified(by: self)
          && isReceiving(registration)
      }
    }
  }

  /// The registrations at some indexes, without the closures between them, in the order in which they are notified.
  func registrations(
    from first: Int32 = 0, to end: Int32? = nil
  ) -> some Sequence<Unmanaged<Registration>> {
    (first..<max(first, end ?? count)).lazy.compactMap { entry(at: $0)?.pointee.registration }
  }

  /// Calls `body` with each registration that the change notifies.
  func forEachNotified(_ body: (Registration) -> Void) {
    for registration in registrations() {
      registration._withUnsafeGuaranteedRef { if $0.isNotified(by: self) { body($0) } }
    }
  }

  /// The entry at an index among the observers, or after them among the dependents.
  func entry(at index: Int32) -> UnsafeMutablePointer<ObserverEntry>? {
    index < observerCount
      ? observers.map { $0 + Int(index) } : dependents.map { $0 + Int(index - observerCount) }
  }
}
