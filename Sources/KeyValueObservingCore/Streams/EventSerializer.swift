// Not generic, since whatever is not specialized would look up its metadata for each event.
/// Hands events over one at a time, for streams, whose observers must not be called while they are
/// being called.
///
/// Changes that two threads make at the same time are delivered on both (P11), and a prior notification
/// is delivered inside the callback that makes the change. An event that comes while another one is
/// being handed over waits, and is handed over by the thread that is at it, in the order in which events
/// come. None is lost. No lock is held while an event is handed over, so a thread never waits for the
/// code of another; where events do not stop coming, one thread hands all of them over.
@usableFromInline
package final class EventSerializer: @unchecked Sendable {  // `waiting` is guarded by `lock`
  @usableFromInline
  let turn = SerialTurn()
  private let lock = Lock()
  private var waiting = Queue<() -> Void>()

  @usableFromInline
  package init() {}

  /// Delivers an event, and those that arrive meanwhile, or leaves it to the call that is
  /// delivering.
  ///
  /// - `receiver`: The receiver of the event, retained as long as the event waits.
  /// - `receive`: Delivers the event. A closure without captures costs nothing.
  @inlinable
  package func send<Receiver: AnyObject, Event>(
    _ event: Event, to receiver: Receiver, _ receive: @escaping (Receiver, Event) -> Void
  ) {
    guard turn.begin() || beginUnlessWaiting({ receive(receiver, event) }) else { return }
    receive(receiver, event)
    if !turn.end() { sendWaiting() }
  }

  /// Lets events wait until ``end()`` delivers them.
  ///
  /// Call it before the first event.
  @inlinable
  package func begin() { _ = turn.begin() }

  /// Delivers the events that have arrived since ``begin()``.
  @inlinable
  package func end() { if !turn.end() { sendWaiting() } }

  /// Leaves an event to the call that is at it.
  ///
  /// Returns true, and leaves nothing, if that has ended.
  @usableFromInline
  func beginUnlessWaiting(_ event: @escaping () -> Void) -> Bool {
    lock.withLock {
      if turn.beginUnlessRunning() { return true }
      waiting.append(event)
      return false
    }
  }

  @usableFromInline
  func sendWaiting() {
    while let next = takeNext() { next() }
  }

  /// The oldest event that waits.
  ///
  /// If there is none, the turn has ended.
  private func takeNext() -> (() -> Void)? {
    lock.withLock {
      let next = waiting.popFirst()
      if next == nil { turn.endLast() }
      return next
    }
  }
}
