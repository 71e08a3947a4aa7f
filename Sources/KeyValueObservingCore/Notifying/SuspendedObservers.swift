/// The observers that a thread does not call: those whose callbacks cause a loop (P18), and those that a
/// transaction names (P57).
final class SuspendedObservers {
  private(set) var observers: [ObserverIdentity] = []
  /// The observers that receive no prior notifications only.
  private(set) var priorObservers: [ObserverIdentity] = []

  /// The observers that deliveries of transactions pass over.
  private var exclusions:
    [(delivery: UnsafeMutablePointer<Delivery>, observers: Set<ObserverIdentity>)] = []

  /// Lets a delivery pass over observers, until it is popped.
  func push(
    _ observers: Set<ObserverIdentity>, excludedBy delivery: UnsafeMutablePointer<Delivery>
  ) {
    exclusions.append((delivery, observers))
  }

  func popExclusion() { exclusions.removeLast() }

  /// The observers that a delivery passes over.
  func excluded(by delivery: UnsafeMutablePointer<Delivery>) -> Set<ObserverIdentity> {
    exclusions.last { $0.delivery == delivery }?.observers ?? []
  }

  func insert(_ observer: ObserverIdentity?) {
    guard let observer, !contains(observer) else { return }
    observers.append(observer)
  }

  /// Returns false if the observer is suspended before changes already.
  func insertPrior(_ observer: ObserverIdentity?) -> Bool {
    guard let observer, !priorObservers.contains(observer) else { return false }
    priorObservers.append(observer)
    return true
  }

  func contains(_ observer: ObserverIdentity) -> Bool { observers.contains(observer) }

  func contains(_ observer: ObserverIdentity, in phase: Delivery.Phase) -> Bool {
    contains(observer) || phase == .prior && priorObservers.contains(observer)
  }

  /// Lets all observers be called again, but for those that a transaction names.
  func removeAll() {
    observers = []
    priorObservers = []
  }

  /// Forgets an observer that has ended, whose address another one has been given.
  func remove(_ observer: ObserverIdentity) {
    observers.removeAll { $0 == observer }
    priorObservers.removeAll { $0 == observer }
  }
}
