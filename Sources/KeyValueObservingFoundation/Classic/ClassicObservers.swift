internal import KeyValueObservingCore

/// The `addObserver`-style observers of one object, behind a lock.
///
/// The object keeps it until it is deallocated.
final class ClassicObservers: @unchecked Sendable {  // `registrations` is guarded by `lock`
  private let lock = Lock()
  private var registrations = ClassicRegistrations()

  func insert(_ registration: ClassicRegistration) {
    let suspects = lock.withLock { registrations.insert(registration) }
    if suspects.isEmpty { return }
    // Outside the lock: reading an observer retains it, and may release it last.
    for suspect in suspects where suspect.isOrphaned { remove(suspect) }
    lock.withLock { registrations.sift() }
  }

  /// Ends the first registration that fits.
  ///
  /// Returns false if there is none.
  func removeFirst(
    at key: ClassicRegistration.Key, where fits: (ClassicRegistration) -> Bool
  ) -> Bool {
    let removed = lock.withLock { registrations.removeFirst(at: key, where: fits) }
    removed?.end()
    return removed != nil
  }

  func remove(_ registration: ClassicRegistration) {
    _ = removeFirst(at: registration.key) { $0 === registration }
  }
}

extension KeyValueObservable {
  /// The classic observers of the object, if it has ever had one.
  var classicObservers: ClassicObservers? { associatedObject as? ClassicObservers }
}
