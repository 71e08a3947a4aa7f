import Foundation
import TestSupport
import Testing

@testable import KeyValueObservingFoundation

/// The readiness of an operation as a value, without an operation.
@Suite("Readiness of operations") struct ReadinessTests {
  @Test("P38: a thread looks again if another one has asked meanwhile, and only then")
  func askedMeanwhile() {
    let readiness = Guarded(Readiness())
    func begin() -> Bool { readiness.withLock { $0.begin() } }
    func end() -> Bool { readiness.withLock { $0.end() } }
    let isBegun = begin()
    let beginsInside = begin()
    #expect(isBegun && !beginsInside)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      #expect(!readiness.withLock { $0.begin() })
      isDone.signal()
    }
    isDone.wait()
    let isOver = end()
    let isOverBehindSecondLook = end()
    #expect(!isOver && isOverBehindSecondLook)
    #expect(begin())
  }
}
