// Changes that wait between the halves of a pair, and may never be made (P19).
extension DerivedValue {
  func hold(_ delivery: UnsafeMutablePointer<Delivery>, at link: Link) {
    guard let change = change(of: delivery) else { return }
    let subject = change.subject
    change.letGo()
    didHold(change)
    lock.withLock {
      state.hold(change, for: ObservedKeyIdentity(delivery.pointee.observedKey.toOpaque()))
    }
    holdsChanges.store(true, ordering: .sequentiallyConsistent)
    // A thread that ended it or detached the link in between has not found the change.
    if hasEnded {
      dropHeldChanges()
    } else if link.isDetached {
      linkDetached(link)
    }
    extendLifetime(subject)
  }

  /// Lets go of the changes of an input that is none any more: no delivery will find the way back.
  func linkDetached(_ link: Link) {
    if holdsChanges.load(ordering: .sequentiallyConsistent) {
      for change in lock.withLock({ state.takeHeld(at: link) }) { dropHeld(change) }
    }
  }

  func resume(_ delivery: UnsafeMutablePointer<Delivery>) {
    guard let subject else { return }
    let number = delivery.pointee.change
    if let change = lock.withLock({ state.resume(number, of: subject) }) { didResume(change) }
  }

  /// Held changes must not be resumed: a delivery whose snapshot still has the derived value knows
  /// only that it has ended, and the object may be deallocated.
  func dropHeldChanges() {
    for change in lock.withLock({ state.takeHeld() }) { dropHeld(change) }
  }
}
