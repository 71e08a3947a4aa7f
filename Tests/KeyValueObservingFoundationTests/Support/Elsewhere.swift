import Foundation

/// Does something on another thread, and keeps this one, with its actor, until it is done.
///
/// So what is handed over to the actor waits until the test lets it be delivered.
func elsewhere(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    done.signal()
  }
  done.wait()
}
