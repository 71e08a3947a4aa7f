internal import Synchronization

/// Takes changes to the actor on which an observation was registered (P40).
///
/// A change made on the actor is delivered at once, after all that wait for the actor. One that is
/// made elsewhere waits until the actor has time for it. The handler is called and released on the
/// actor alone, since it may have captured what belongs to the actor.
@usableFromInline
final class ActorDelivery: ObservationCompletion, ActorWorkOwner, @unchecked Sendable {
  // `handler` and `completion` belong to the actor. Once that is gone, `lock` guards them.
  private let queue: ActorQueue
  private let lock = Lock()
  private let isClosed = Atomic<Bool>(false)
  private(set) var handler: AnyObject?
  /// Owns the captures of the handler, and notifies an observer that its source was deallocated.
  private var completion: ObservationCompletion?
  private let hasCompletion: Bool

  init(_ actor: any Actor, handler: AnyObject, completion: ObservationCompletion?) {
    queue = .of(actor)
    self.handler = handler
    self.completion = completion
    hasCompletion = completion != nil
  }

  /// Whether the running code is isolated to the actor.
  ///
  /// If it is, everything that waited before the change that is being delivered has been delivered when this returns.
  ///
  /// - `isNow`: Whether that is everything that waits for this observation now: what it is about to receive is no
  ///   change that was made.
  func arrive(isNow: Bool) -> Bool {
    guard queue.isOnActor else { return false }
    let (outermost, innermost) = queue.handedOver(before: ThreadState.current.delivery)
    queue.deliver(upTo: outermost, of: self, upTo: isNow ? .last : innermost)
    return true
  }

  /// Leaves something to be done on the actor, in order, unless the observation ends before.
  func schedule(_ work: @escaping () -> Void) {
    if isClosed.load(ordering: .acquiring) { return }
    // The queue keeps this as long as the work.
    queue.schedule(for: self) { [unowned self] in
      if !isClosed.load(ordering: .acquiring) { work() }
    }
  }

  /// Releases everything that the user's closure captures, which may in turn retain this delivery.
  func release() {
    // Two threads may find at once that the actor is gone.
    let unneeded = lock.withLock { (handler.take(), completion.take()) }
    extendLifetime(unneeded)
  }

  override var notifiesOfDeletion: Bool { hasCompletion }

  override var isReachedByPriors: Bool { queue.isOnActor }

  /// Drops waiting changes and releases the handler.
  override func ended() {
    isClosed.store(true, ordering: .releasing)
    if queue.isOnActor { return release() }
    queue.schedule(for: self) { [unowned self] in release() }
  }

  override func subjectDeallocated() {
    let notifyOfDeletion = { [unowned self] in
      completion?.subjectDeallocated()
      release()
    }
    guard arrive(isNow: true) else { return schedule(notifyOfDeletion) }
    InPlaceMutation.notify { [self] in
      if !isClosed.load(ordering: .acquiring) { notifyOfDeletion() }
    }
  }

  override var mayOutliveSubject: Bool { true }
}
