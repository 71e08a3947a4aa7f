/// Hands events over one at a time, for streams, whose observers must not be called while they are
/// being called.
///
/// Changes that two threads make at the same time are delivered on both (P11), and a prior notification
/// is delivered inside the callback that makes the change. An event that comes while another one is
/// being handed over waits, and is handed over by the thread that is at it, in the order in which events
/// come. None is lost. No lock is held while an event is handed over, so a thread never waits for the
/// code of another; where events do not stop coming, one thread hands all of them over.
package final class EventSerializer<Event>: @unchecked Sendable {  // guarded by `lock`
  private let lock = Lock()
  private var isBusy = false
  private var waiting = Queue<Event>()

  package init() {}

  /// Hands an event over, and those that come meanwhile, or leaves it to the call that is at it.
  ///
  /// - Parameter receive: Takes one event. Every call has to pass the same.
  package func send(_ event: Event, to receive: (Event) -> Void) {
    let isFirst = lock.withLock {
      if isBusy { waiting.append(event) }
      defer { isBusy = true }
      return !isBusy
    }
    guard isFirst else { return }
    receive(event)
    while let next = takeNext() { receive(next) }
  }

  /// The oldest event that waits. If there is none, the next one is handed over by whoever sends it.
  private func takeNext() -> Event? {
    lock.withLock {
      let next = waiting.popFirst()
      isBusy = next != nil
      return next
    }
  }
}
