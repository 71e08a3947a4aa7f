/// The observers that a thread does not call, since their callbacks cause a loop (P18).
final class SuspendedObservers {
  private(set) var observers: [ObserverIdentity] = []
  /// The observers that receive no prior notifications only.
  private(set) var priorObservers: [ObserverIdentity] = []

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

  /// Lets all observers be called again.
  func removeAll() {
    observers = []
    priorObservers = []
  }

  // Out of line, since few observers are registered while any is suspended (row: register + end).
  /// Forgets an observer that has ended, whose address another one has been given.
  @inline(never)
  func remove(_ observer: ObserverIdentity) {
    observers.removeAll { $0 == observer }
    priorObservers.removeAll { $0 == observer }
  }
}
