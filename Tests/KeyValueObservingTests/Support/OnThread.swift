import Foundation

/// Runs something on a thread of its own, and waits for it.
func onThread(_ body: @escaping @Sendable () -> Void) {
  let isDone = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    isDone.signal()
  }
  isDone.wait()
}
