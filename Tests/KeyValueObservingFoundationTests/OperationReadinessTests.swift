import Foundation
import KeyValueObservingFoundation
import Testing
import TestSupport

@KeyValueObservable
private final class Gate: ObservableOperation, @unchecked Sendable {
  @KeyValueIgnored var isOpen = false {
    didSet { didChangeValue(forKey: "isReady") }
  }

  @KeyValueIgnored override var isReady: Bool { super.isReady && isOpen }

  override func execute() { finish() }
}

@KeyValueObservable
private final class Valve: ObservableOperation, @unchecked Sendable {
  var isOpen = false

  @KeyValueIgnored override var isReady: Bool { super.isReady && isOpen }
}

@Suite("Overrides of isReady")
struct OperationReadinessTests {
  @Test(
    "P19: one change is delivered to observers and the queue if the override and its condition are ignored"
  )
  func ignoredCondition() {
    let queue = OperationQueue()
    let gate = Gate()
    let history = Guarded<[String]>([])
    let token = gate.observe(\.isReady, options: [.old, .new], isolation: nil) { gate, change in
      history.withLock {
        $0.append("ready \(change.oldValue!) \(change.newValue!), open \(gate.isOpen)")
      }
    }
    queue.addOperation(gate)
    #expect(!gate.isExecuting)
    gate.isOpen = true
    queue.waitUntilAllOperationsAreFinished()
    #expect(history.withLock { $0 } == ["ready false true, open true"])
    withExtendedLifetime(token) {}
  }

  @Test("P19: the first change of an override is delivered, however its key is observed")
  func firstChange() throws {
    let gate = Gate()
    var values: [Any?] = []
    let tokens = [
      try gate.observe("isReady", options: .new) { values.append($1.newValue!) },
      (gate as ObservableOperation).observe(\.isReady, options: .new) {
        values.append($1.newValue)
      },
    ]
    gate.isOpen = true
    gate.isOpen = false
    #expect(values as? [Bool] == [true, true, false, false])
    withExtendedLifetime(tokens) {}
  }

  @Test("P21: an ignored override of isReady changes once with a property that it reads")
  func observableCondition() {
    let valve = Valve()
    let history = Guarded<[String]>([])
    let token = valve.observe(\.isReady, options: [.old, .new], isolation: nil) { valve, change in
      history.withLock {
        $0.append("ready \(change.oldValue!) \(change.newValue!), open \(valve.isOpen)")
      }
    }
    valve.isOpen = true
    #expect(history.withLock { $0 } == ["ready false true, open true"])
    valve.isOpen = false
    #expect(
      history.withLock { $0 } == ["ready false true, open true", "ready true false, open false"])
    withExtendedLifetime(token) {}
  }
}
