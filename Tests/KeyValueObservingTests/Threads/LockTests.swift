import Foundation
import TestSupport
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  @Suite("Lock")
  struct LockTests {
    private final class Held: Sendable {
      let lock = Lock()
    }

    @Test("P38: a thread that waits for one that does not run takes little processor time")
    func waiting() {
      let held = Held()
      let isHeld = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        held.lock.lock()
        isHeld.signal()
        // Stands for a holder that gets no processor.
        Thread.sleep(forTimeInterval: 0.5)
        held.lock.unlock()
      }
      isHeld.wait()
      let clock = ContinuousClock()
      let start = clock.now
      let processorTime = processorTime { held.lock.lock() }
      let waitingTime = clock.now - start
      held.lock.unlock()
      #expect(waitingTime > .milliseconds(20))
      #expect(processorTime < waitingTime / 5)
    }

    @Test("P38: threads that wait for a lock take it one after the other")
    func exclusion() {
      let held = Held()
      nonisolated(unsafe) var count = 0
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<2000 { held.lock.withLock { count += 1 } }
      }
      #expect(count == 16_000)
      #expect(held.lock.tryLock() && !held.lock.tryLock())
      held.lock.unlock()
    }
  }
}
