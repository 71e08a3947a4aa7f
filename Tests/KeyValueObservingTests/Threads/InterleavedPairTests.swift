import Dispatch
import Foundation
import KeyValueObserving
import Synchronization
import Testing

/// Is changed by two threads that take turns.
private final class Valve: KeyValueObservable, @unchecked Sendable {
  let keyValueRegistrar = KeyValueRegistrar()
  var level = 0
  static func keyValueProperties() -> [KeyValueProperty] { [.stored("level", \Valve.level)] }
}

extension AllTests {
  @Suite("Manual notifications of two threads")
  struct InterleavedPairTests {
    @Test("P19: pairs of two threads for one key are completed each by its own thread")
    func interleaved() {
      let valve = Valve()
      let levels = Mutex<[String]>([])
      let token = valve.observe(\.level, options: [.old, .new], isolation: nil) { _, change in
        levels.withLock { $0.append("\(change.oldValue!)→\(change.newValue!)") }
      }
      let mayEnd = DispatchSemaphore(value: 0)
      let (hasBegun, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      valve.willChangeValue(for: \.level)
      valve.level = 1
      Thread.detachNewThread {
        valve.willChangeValue(for: \.level)
        hasBegun.signal()
        mayEnd.wait()
        valve.level = 2
        valve.didChangeValue(for: \.level)
        hasEnded.signal()
      }
      hasBegun.wait()
      valve.didChangeValue(for: \.level)
      mayEnd.signal()
      hasEnded.wait()
      let found = levels.withLock { $0 }
      #expect(found.count == 2)
      #expect(found == ["0→1", "1→2"])
      withExtendedLifetime(token) {}
    }
  }
}
