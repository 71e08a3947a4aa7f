internal import CKeyValueObserving

/// Takes changes to the actor on which an observation was registered (P40).
///
/// A change made on the actor is delivered at once, after those that wait. One that is made
/// elsewhere waits here until the actor has time for it. The handler is called and released on the
/// actor alone, since it may have captured what belongs to the actor.
@usableFromInline
final class Mailbox: Aftermath, @unchecked Sendable {
  // `letters`, `isAwaited` and `isClosed` are guarded by `lock`; `handler` and `farewell` belong to
  // the actor.
  /// The actor, weakly: one that keeps its own observations must be able to go.
  private weak var actor: (any Actor)?
  private let executor: kvo_executor
  private let lock = Lock()
  private var letters: [() -> Void] = []
  private var isAwaited = false
  private var isClosed = false
  private(set) var handler: AnyObject?
  /// Holds what the handler holds, and tells an observer of the death of its source.
  private var farewell: Aftermath?

  init(_ actor: any Actor, handler: AnyObject, farewell: Aftermath?) {
    self.actor = actor
    self.handler = handler
    self.farewell = farewell
    // An `UnownedSerialExecutor` is these two words; there is no public way to look at them.
    executor = unsafeBitCast(actor.unownedExecutor, to: kvo_executor.self)
  }

  /// Whether the running code is isolated to the actor. If it is, everything that waited has been
  /// delivered when this returns.
  func arrive() -> Bool {
    guard isOnActor else { return false }
    deliverLetters()
    return true
  }

  private var isOnActor: Bool {
    // Another actor may have been given the address of one that is gone.
    kvo_is_current_executor(executor) && actor != nil
  }

  /// Leaves something to be done on the actor, in order.
  func post(_ letter: @escaping () -> Void) {
    lock.lock()
    if isClosed {
      lock.unlock()
      return
    }
    letters.append(letter)
    let isAwaited = self.isAwaited
    self.isAwaited = true
    lock.unlock()
    if !isAwaited { callActor() }
  }

  private func callActor() {
    guard let actor else { return forget() }
    Task { await collect(on: actor) }
  }

  /// Drops what waits and the handler. Where the actor is gone, nothing else can come of them.
  private func forget() {
    close()
    // Two threads may find at once that the actor is gone.
    let unneeded = lock.withLock { (handler.take(), farewell.take()) }
    withExtendedLifetime(unneeded) {}
  }

  /// Lets go of all that the user's closure holds: whoever keeps this may be held by it.
  private func release() { (handler, farewell) = (nil, nil) }

  private func close() {
    let unread = lock.withLock {
      let unread = letters
      letters = []
      isClosed = true
      return unread
    }
    withExtendedLifetime(unread) {}
  }

  private func collect(on actor: isolated any Actor) {
    deliverLetters()
    if lock.withLock({ isClosed }) { release() }
  }

  private func deliverLetters() {
    while let letter = takeLetter() { letter() }
  }

  private func takeLetter() -> (() -> Void)? {
    lock.withLock {
      if letters.isEmpty {
        isAwaited = false
        return nil
      }
      return letters.removeFirst()
    }
  }

  /// Drops what waits, and then the handler.
  override func ended() {
    if isOnActor { return forget() }
    close()
    callActor()
  }

  override func subjectDied() {
    let sayFarewell = { [unowned self] in
      farewell?.subjectDied()
      release()
    }
    if arrive() { sayFarewell() } else { post(sayFarewell) }
  }
}
