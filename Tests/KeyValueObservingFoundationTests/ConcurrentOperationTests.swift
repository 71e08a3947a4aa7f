import Foundation
import KeyValueObservingFoundation
import Testing
import TestSupport

/// Keeps its own state, and is ready only when a condition is met that it looks at when its
/// dependencies have finished.
@KeyValueObservable
private final class Conditional: ObservableConcurrentOperation, @unchecked Sendable {
  @KeyValueIgnored private let finished = Guarded(false)
  @KeyValueIgnored private let hasMetCondition = Guarded(false)

  @KeyValueIgnored override var isReady: Bool {
    super.isReady && hasMetCondition.value
  }

  override var isFinished: Bool { finished.value }

  func meetCondition() {
    willChangeValue(forKey: "isReady")
    hasMetCondition.withLock { $0 = true }
    didChangeValue(forKey: "isReady")
  }

  override func start() {
    willChangeValue(forKey: "isFinished")
    finished.withLock { $0 = true }
    didChangeValue(forKey: "isFinished")
  }
}

@Suite("Operations that keep their own state")
struct ConcurrentOperationTests {
  @Test("P8: isReady notifies when the last dependency finishes, whatever else an override awaits")
  func readiness() {
    let (first, second) = (BlockOperation {}, Download())
    let operation = Conditional()
    let history = Guarded<[Bool]>([])
    let token = operation.observe(\.isReady) { operation, _ in
      history.withLock { $0.append(operation.isReady) }
    }
    operation.addDependency(first)
    operation.addDependency(second)
    #expect(history.value == [false])
    first.start()
    _ = operation.isReady
    #expect(history.value == [false])
    second.start()
    _ = operation.isReady
    #expect(history.value == [false, false])
    operation.meetCondition()
    #expect(history.value == [false, false, true])
    withExtendedLifetime(token) {}
  }

  @Test("P19: a queue starts one whose observer meets the condition, and notifies of its end")
  func queue() {
    let operation = Conditional()
    let dependency = Download()
    operation.addDependency(dependency)
    let isMeeting = Guarded(false)
    // The operation is finished before its observers are notified of it.
    let end = DispatchSemaphore(value: 0)
    let tokens = [
      operation.observe(\.isReady) { operation, _ in
        let isFirst = isMeeting.withLock { isMeeting in
          defer { isMeeting = true }
          return !isMeeting
        }
        if dependency.isFinished, isFirst { operation.meetCondition() }
      },
      operation.observe(\.isFinished, options: .new) { _, change in
        if change.newValue! { end.signal() }
      },
    ]
    let queue = OperationQueue()
    queue.addOperations([operation, dependency], waitUntilFinished: false)
    #expect(end.wait(timeout: .now() + 60) == .success)
    withExtendedLifetime(tokens) {}
  }

  @Test("P8: the first call of cancel() notifies observers of isCancelled, once")
  func cancelling() {
    let operation = Conditional()
    var history: [Bool] = []
    let token = operation.observe(\.isCancelled, options: [.old, .new]) { _, change in
      history += [change.oldValue!, change.newValue!]
    }
    operation.cancel()
    operation.cancel()
    #expect(history == [false, true])
    withExtendedLifetime(token) {}
  }

  @Test("P8: cancel() of an operation that has finished notifies of nothing")
  func cancellingFinished() {
    let operation = Conditional()
    var count = 0
    let token = operation.observe(\.isCancelled) { _, _ in count += 1 }
    operation.start()
    operation.cancel()
    #expect(!operation.isCancelled)
    #expect(count == 0)
    withExtendedLifetime(token) {}
  }

  @Test("P38: of threads that cancel an operation, one notifies observers")
  func cancellingThreads() {
    for _ in 0..<200 {
      let operation = Conditional()
      let count = Guarded(0)
      let token = operation.observe(\.isCancelled, isolation: nil) { @Sendable _, _ in
        count.withLock { $0 += 1 }
      }
      DispatchQueue.concurrentPerform(iterations: 4) { _ in operation.cancel() }
      #expect(count.value == 1)
      withExtendedLifetime(token) {}
    }
  }

  @Test("P50, P51: what a didSet does with an operation while values are put back takes effect")
  func rollback() {
    let operation = Conditional()
    operation.meetCondition()
    let executed = Guarded(0)
    let (unready, started, ended, cancelled) = (
      Worker(executed), Worker(executed), Worker(executed), Worker(executed)
    )
    ended.start()
    let plan = Plan {
      operation.addDependency(unready)
      started.start()
      ended.finish()
      cancelled.cancel()
    }
    try? withKeyValueTransaction {
      plan.isPlanned = false
      throw CancellationError()
    }
    #expect(plan.isPlanned)
    #expect(plan.count == 1)
    #expect(!operation.isReady)
    unready.cancel()
    unready.start()
    #expect(operation.isReady)
    #expect(started.isExecuting)
    #expect(ended.isFinished)
    #expect(cancelled.isCancelled)
    #expect(executed.value == 2)
  }

  @Test("P2: its state is observed by string and by a classic observer too")
  func surfaces() throws {
    let operation = Conditional()
    var count = 0
    let token = try operation.observe("isFinished", options: .new) { _, change in
      if change.newValue as? Bool == true { count += 1 }
    }
    let screen = Screen()
    operation.addObserver(screen, forKeyPath: "isFinished", options: .new, context: nil)
    operation.start()
    #expect(count == 1)
    #expect(screen.take() == ["isFinished: kind 1, new true"])
    operation.removeObserver(screen, forKeyPath: "isFinished")
    withExtendedLifetime(token) {}
  }
}

/// Does something when its property becomes true.
@KeyValueObservable
private final class Plan {
  var isPlanned = true {
    didSet {
      if !isPlanned { return }
      count += 1
      carryOut()
    }
  }
  @KeyValueIgnored private(set) var count = 0
  @KeyValueIgnored private let carryOut: () -> Void

  init(_ carryOut: @escaping () -> Void) { self.carryOut = carryOut }
}

/// Executes until it is finished.
private final class Worker: ObservableOperation, @unchecked Sendable {
  private let executed: Guarded<Int>

  init(_ executed: Guarded<Int>) { self.executed = executed }

  override func execute() { executed.withLock { $0 += 1 } }
}

/// Finishes as soon as it is started.
private final class Download: ObservableOperation, @unchecked Sendable {}
