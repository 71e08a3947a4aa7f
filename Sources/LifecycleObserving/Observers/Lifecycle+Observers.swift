extension Lifecycle {
  /// The observers, in the order in which they were added.
  package var lifecycleObservers: [any LifecycleObserver] { observers.compactMap(\.observer) }

  /// Adds an observer, and notifies it of the moments that have led to the present phase (P81).
  func add(_ observer: any LifecycleObserver, of owner: OwnerReference, isOwner: Bool) {
    if phase == .ended {
      return KeyValueDiagnostics.report(
        .observerAfterEnd(type(of: observer), owner: owner.type))
    }
    guard let target = owner.target else { return ownerIsGone(owner.type) }
    if observers.contains(where: { $0.observer === observer }) { return }
    let registration = ObserverRegistration(observer, of: owner, isOwner: isOwner)
    // In a prior callback of the phase, the moment is still to come.
    registration.moveNumber = phase == enteredPhase ? moveNumber : 0
    observers.append(registration)
    delivering {
      for moment in momentsSoFar where !registration.isRemoved {
        observer.receive(moment, of: target)
      }
    }
  }

  func remove(_ observer: any LifecycleObserver) {
    guard let index = observers.firstIndex(where: { $0.observer === observer }) else { return }
    observers.remove(at: index).isRemoved = true
  }

  /// Notifies those who were observers when the moment came, as far as they still are (P13).
  ///
  /// One that a callback has added since the phase changed has been notified then (P81).
  func notifyObservers(of moment: Moment) {
    // The owner is retained until all have been notified (P14).
    let receivers = observers.filter { $0.moveNumber != moveNumber }
      .map { ($0, $0.owner.target) }
    for (registration, owner) in receivers where !registration.isRemoved {
      guard let owner, let observer = registration.observer else {
        ownerIsGone(registration.owner.type)
        registration.isRemoved = true
        observers.removeAll { $0 === registration }
        continue
      }
      observer.receive(moment, of: owner)
    }
  }
}
