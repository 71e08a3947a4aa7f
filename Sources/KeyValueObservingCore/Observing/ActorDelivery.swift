internal import Synchronization

/// Takes changes to the actor on which an observation was registered (P40).
///
/// A change made on the actor is delivered at once, after all that wait for the actor since before it was made. One that
/// is made elsewhere waits until the actor has time for it. The handler is called and released on the
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

  init(_ actor: any Actor, handler: AnyObject, completion: ObservationCompletion?) {
    queue = .of(actor)
    self.handler = handler
    self.completion = completion
  }

  /// Whether the running code is isolated to the actor, so that the observer may be called.
  ///
  /// If it is, what was handed over before the changes that are being delivered has been delivered when this returns.
  ///
  /// - `isChange`: Whether it is called for one of these changes. Otherwise all that waits for this observation is
  ///   delivered.
  func arrive(isChange: Bool) -> Bool {
    guard queue.isOnActor else { return false }
    if !queue.hasWaiting { return true }
    // Other observers are still to receive the outer changes before what was handed over after these. This one has
    // received them, if they concern it.
    let thread = ThreadState.current
    queue.deliver(
      upTo: thread.outermostPosition, of: self, upTo: isChange ? thread.innermostPosition : .last)
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

  override var notifiesOfDeletion: Bool { lock.withLock { completion != nil } }

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
    guard arrive(isChange: false) else { return schedule(notifyOfDeletion) }
    InPlaceMutation.notify { [self] in
      if !isClosed.load(ordering: .acquiring) { notifyOfDeletion() }
    }
  }

  override var mayOutliveSubject: Bool { true }
}
