internal import Synchronization

/// Takes changes to the actor on which an observation was registered (P40).
///
/// A change made on the actor is delivered at once, after all that wait for the actor. One that is
/// made elsewhere waits until the actor has time for it. The handler is called and released on the
/// actor alone, since it may have captured what belongs to the actor.
@usableFromInline
final class ActorDelivery: ObservationCompletion, @unchecked Sendable {
  // `handler` and `farewell` belong to the actor. Once that is gone, `lock` guards them.
  private let queue: ActorQueue
  private let lock = Lock()
  private let isClosed = Atomic<Bool>(false)
  private(set) var handler: AnyObject?
  /// Owns the captures of the handler, and notifies an observer that its source was deallocated.
  private var farewell: ObservationCompletion?
  private let hasFarewell: Bool

  init(_ actor: any Actor, handler: AnyObject, farewell: ObservationCompletion?) {
    queue = .of(actor)
    self.handler = handler
    self.farewell = farewell
    hasFarewell = farewell != nil
  }

  /// Whether the running code is isolated to the actor.
  ///
  /// If it is, everything that waited has been delivered when this returns.
  func arrive() -> Bool {
    guard queue.isOnActor else { return false }
    queue.deliver()
    return true
  }

  /// Leaves something to be done on the actor, in order, unless the observation ends before.
  func post(_ letter: @escaping () -> Void) {
    if isClosed.load(ordering: .acquiring) { return }
    // The queue keeps this as long as the letter.
    queue.post(to: self) { [unowned self] in
      if !isClosed.load(ordering: .acquiring) { letter() }
    }
  }

  /// Releases everything that the user's closure captures, which may in turn retain this mailbox.
  func release() {
    // Two threads may find at once that the actor is gone.
    let unneeded = lock.withLock { (handler.take(), farewell.take()) }
    extendLifetime(unneeded)
  }

  override var notifiesOfDeletion: Bool { hasFarewell }

  /// Drops waiting changes and releases the handler.
  override func ended() {
    isClosed.store(true, ordering: .releasing)
    if queue.isOnActor { return release() }
    queue.post(to: self) { [unowned self] in release() }
  }

  override func subjectDeallocated() {
    let sayFarewell = { [unowned self] in
      farewell?.subjectDeallocated()
      release()
    }
    guard arrive() else { return post(sayFarewell) }
    InPlaceMutation.notify { [self] in
      if !isClosed.load(ordering: .acquiring) { sayFarewell() }
    }
  }

  override var mayBeLate: Bool { true }
}
