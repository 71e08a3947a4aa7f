import Foundation
import KeyValueObservingFoundation
import Testing
import TestSupport

@Suite("Observable operations")
struct OperationTests {
  @Test("P8, P24: an operation notifies of each state once, and both properties have changed then")
  func states() {
    let operation = Work()
    let lines = Lines()
    let tokens = watch(operation, lines)
    operation.start()
    #expect(
      lines.take() == ["isExecuting: kind 1, new true, old false, executing true, finished false"])
    operation.finish()
    operation.finish()
    operation.start()
    operation.cancel()
    #expect(
      lines.take() == [
        "isExecuting: kind 1, new false, old true, executing false, finished true",
        "isFinished: kind 1, new true, old false, executing false, finished true",
      ])
    #expect(!operation.isCancelled)
    withExtendedLifetime(tokens) {}
  }

  @Test("P2: a state is observed by typed key path, by string and by a classic observer")
  func surfaces() throws {
    let operation = Work()
    let lines = Lines()
    let screen = Screen()
    let token = operation.observe(\.isFinished, options: .new) { lines.add("typed", $1) }
    let other = try operation.onChange("isFinished") { lines.add("onChange") }
    operation.addObserver(screen, forKeyPath: "isFinished", options: [.new, .old])
    operation.start()
    operation.finish()
    #expect(lines.take() == ["typed: kind 1, new true", "onChange"])
    #expect(screen.take() == ["isFinished: kind 1, new true, old false"])
    #expect(throws: KeyValueCodingError.self) {
      try operation.setValue(true, forKey: "isFinished")
    }
    withExtendedLifetime((token, other)) {}
  }

  @Test("P12: an observer may finish or cancel the operation that begins to execute")
  func endedByObserver() {
    for isCancelling in [false, true] {
      let operation = Work()
      let lines = Lines()
      let token = operation.observe(\.isExecuting, options: .new) { operation, change in
        lines.add("isExecuting", change)
        if change.newValue == true { isCancelling ? operation.cancel() : operation.finish() }
      }
      let other = operation.observe(\.isFinished, options: .new) { lines.add("isFinished", $1) }
      operation.start()
      #expect(
        lines.take().sorted() == [
          "isExecuting: kind 1, new false", "isExecuting: kind 1, new true",
          "isFinished: kind 1, new true",
        ])
      #expect(operation.executions == 0)
      withExtendedLifetime((token, other)) {}
    }
  }

  @Test("P8: a queue executes an operation, and its dependents when it has finished")
  func dependencies() {
    let queue = OperationQueue()
    let log = Log()
    let first = Work { log.add("first executes") }
    let second = Work { log.add("second executes") }
    let tokens = [
      second.observe(\.isReady, options: [.old, .new], isolation: nil) { _, change in
        log.add("second ready \(change.oldValue!) \(change.newValue!)")
      },
      first.observe(\.isFinished, options: .new, isolation: nil) { _, change in
        log.add("first finished \(change.newValue!)")
      },
    ]
    second.addDependency(first)
    queue.addOperations([second, first], waitUntilFinished: false)
    first.waitUntilExecuting()
    #expect(log.take() == ["second ready true false", "first executes"])
    first.finish()
    second.waitUntilExecuting()
    #expect(log.take() == ["first finished true", "second ready false true", "second executes"])
    second.finish()
    queue.waitUntilAllOperationsAreFinished()
    #expect(second.isFinished)
    #expect(queue.operationCount == 0)
    withExtendedLifetime(tokens) {}
  }

  @Test("P8: an operation becomes ready when a dependency that is a plain operation finishes")
  func plainDependency() {
    let operation = Work()
    let lines = Lines()
    let screen = Screen()
    let token = operation.observe(\.isReady, options: [.old, .new]) { lines.add("isReady", $1) }
    operation.addObserver(screen, forKeyPath: "isReady", options: [.prior, .old, .new])
    let plain = BlockOperation {}
    let other = BlockOperation {}
    operation.addDependency(plain)
    operation.addDependency(plain)
    operation.addDependency(other)
    plain.start()
    operation.removeDependency(plain)
    #expect(lines.take() == ["isReady: kind 1, new false, old true"])
    other.start()
    #expect(operation.isReady)
    #expect(lines.take() == ["isReady: kind 1, new true, old false"])
    #expect(
      screen.take() == [
        "isReady: kind 1, isPrior true, old true", "isReady: kind 1, new false, old true",
        "isReady: kind 1, isPrior true, old false", "isReady: kind 1, new true, old false",
      ])
    withExtendedLifetime(token) {}
  }

  @Test("P11: an observer of isReady may change it, which is delivered after the first change")
  func readinessInObserver() {
    let operation = Work()
    let lines = Lines()
    let token = operation.observe(\.isReady, options: [.old, .new]) { operation, change in
      lines.add("first", change)
      operation.cancel()
    }
    let other = operation.observe(\.isReady, options: [.old, .new]) { lines.add("second", $1) }
    operation.addDependency(Work())
    #expect(
      lines.take() == [
        "first: kind 1, new false, old true", "second: kind 1, new false, old true",
        "first: kind 1, new true, old false", "second: kind 1, new true, old false",
      ])
    withExtendedLifetime((token, other)) {}
  }

  @Test("P19: a condition of its own makes a subclass ready, for the queue and for observers")
  func ownCondition() {
    let queue = OperationQueue()
    let operation = Conditional()
    let log = Log()
    let token = operation.observe(\.isReady, options: [.old, .new], isolation: nil) { _, change in
      log.add("ready \(change.oldValue!) \(change.newValue!)")
    }
    queue.addOperation(operation)
    #expect(!operation.isExecuting)
    operation.allow()
    operation.waitUntilExecuting()
    #expect(log.take() == ["ready false true"])
    operation.finish()
    queue.waitUntilAllOperationsAreFinished()
    withExtendedLifetime(token) {}
  }

  @Test("P8: an operation that is cancelled before it starts finishes without being executed")
  func cancelledBefore() {
    let queue = OperationQueue()
    queue.isSuspended = true
    let log = Log()
    let operation = Work { log.add("executes") }
    let dependency = Work()
    operation.addDependency(dependency)
    let tokens = [
      operation.observe(\.isCancelled, options: [.old, .new], isolation: nil) { _, change in
        log.add("cancelled \(change.oldValue!) \(change.newValue!)")
      },
      operation.observe(\.isReady, options: .new, isolation: nil) { _, change in
        log.add("ready \(change.newValue!)")
      },
      operation.observe(\.isExecuting, isolation: nil) { _, _ in log.add("executing") },
      operation.observe(\.isFinished, isolation: nil) { _, _ in log.add("finished") },
    ]
    queue.addOperation(operation)
    operation.cancel()
    operation.cancel()
    #expect(log.take() == ["ready true", "cancelled false true"])
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(log.take() == ["finished"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P8: an operation that is finished before its queue starts it is not executed")
  func finishedBefore() {
    let queue = OperationQueue()
    queue.isSuspended = true
    let operation = Work()
    queue.addOperation(operation)
    operation.finish()
    #expect(!operation.isFinished)
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(operation.isFinished)
    #expect(operation.executions == 0)
  }

  @Test("P8: the completion block is called once, after the observers")
  func completionBlock() async {
    let log = Log()
    let operation = Work()
    let token = operation.observe(\.isFinished, isolation: nil) { _, _ in log.add("observer") }
    await withCheckedContinuation { continuation in
      operation.completionBlock = {
        log.add("completion block")
        continuation.resume()
      }
      operation.start()
      operation.finish()
    }
    #expect(log.take() == ["observer", "completion block"])
    withExtendedLifetime(token) {}
  }

  @Test("P8: a subclass that overrides main() finishes when that returns")
  func synchronous() {
    let queue = OperationQueue()
    let operation = Sum()
    queue.addOperations([operation], waitUntilFinished: true)
    #expect(operation.sum == 10)
    #expect(operation.isFinished)
  }

  @Test("P38: a queue executes as many at a time as it may, and each notifies once of its end")
  func manyOperations() {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 3
    let running = Guarded(0)
    let greatest = Guarded(0)
    let ends = Guarded(0)
    var tokens: [KeyValueObservation] = []
    var operations: [Work] = []
    for index in 0..<200 {
      let operation = Work(finishesLater: true)
      if index % 5 == 4 { operation.addDependency(operations[index - 2]) }
      tokens.append(
        operation.observe(\.isExecuting, options: .new, isolation: nil) { _, change in
          let count = running.withLock { count in
            count += change.newValue == true ? 1 : -1
            return count
          }
          greatest.withLock { $0 = max($0, count) }
        })
      tokens.append(
        operation.observe(\.isFinished, isolation: nil) { _, _ in ends.withLock { $0 += 1 } })
      operations.append(operation)
    }
    queue.addOperations(operations, waitUntilFinished: false)
    for index in stride(from: 0, to: 200, by: 7) { operations[index].cancel() }
    queue.waitUntilAllOperationsAreFinished()
    #expect(operations.allSatisfy { $0.isFinished && !$0.isExecuting })
    #expect(operations.allSatisfy { $0.executions <= 1 })
    #expect(greatest.withLock(\.self) <= 3)
    #expect(running.withLock(\.self) == 0)
    #expect(ends.withLock(\.self) == 200)
    withExtendedLifetime(tokens) {}
  }

  @Test("P38: of many threads that finish and cancel an operation, one notifies of each")
  func races() async {
    for _ in 0..<200 {
      let operation = Work()
      let ends = Guarded(0)
      let tokens = [
        operation.observe(\.isFinished, isolation: nil) { _, _ in ends.withLock { $0 += 1 } },
        operation.observe(\.isCancelled, isolation: nil) { _, _ in ends.withLock { $0 += 10 } },
      ]
      await withTaskGroup { group in
        group.addTask { operation.start() }
        for _ in 0..<2 {
          group.addTask { operation.finish() }
          group.addTask { operation.cancel() }
        }
      }
      #expect(operation.isFinished)
      #expect(ends.withLock(\.self) == (operation.isCancelled ? 11 : 1))
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("P21: properties that a subclass adds, and key paths through it, are observable")
  func subclass() {
    let owner = Owner()
    let lines = Lines()
    let tokens = [
      owner.operation.observe(\.bytes, options: .new) { lines.add("bytes", $1) },
      owner.operation.observe(\.summary, options: .new) { lines.add("summary", $1) },
      owner.observe(\.operation.isFinished, options: [.old, .new]) { lines.add("path", $1) },
    ]
    owner.operation.bytes = 7
    owner.operation.start()
    #expect(
      lines.take() == [
        "bytes: kind 1, new 7", "summary: kind 1, new 7 false", "path: kind 1, new true, old false",
        "summary: kind 1, new 7 true",
      ])
    withExtendedLifetime((owner, tokens)) {}
  }

  private func watch(_ operation: Work, _ lines: Lines) -> [KeyValueObservation] {
    func watch(_ name: String, _ keyPath: KeyPath<Work, Bool>) -> KeyValueObservation {
      operation.observe(keyPath, options: [.old, .new]) { operation, change in
        lines.add(
          "\(name): \(describe(change.dictionary)), executing \(operation.isExecuting), "
            + "finished \(operation.isFinished)")
      }
    }
    return [
      watch("isReady", \.isReady), watch("isExecuting", \.isExecuting),
      watch("isFinished", \.isFinished), watch("isCancelled", \.isCancelled),
    ]
  }
}

/// Executes until the test finishes it, or until another thread does.
private class Work: ObservableOperation, @unchecked Sendable {
  private let body: @Sendable () -> Void
  private let finishesLater: Bool
  private let executing = DispatchSemaphore(value: 0)
  private let count = Guarded(0)

  init(finishesLater: Bool = false, _ body: @escaping @Sendable () -> Void = {}) {
    self.finishesLater = finishesLater
    self.body = body
  }

  var executions: Int { count.withLock(\.self) }

  override func execute() {
    count.withLock { $0 += 1 }
    body()
    executing.signal()
    if finishesLater { DispatchQueue.global().async { self.finish() } }
  }

  func waitUntilExecuting() { executing.wait() }
}

private final class Conditional: Work, @unchecked Sendable {
  private let isAllowed = Guarded(false)

  override var isReady: Bool { super.isReady && isAllowed.withLock(\.self) }

  func allow() {
    isAllowed.withLock { $0 = true }
    didChangeValue(forKey: "isReady")
  }
}

private final class Sum: ObservableOperation, @unchecked Sendable {
  private let result = Guarded(0)

  var sum: Int { result.withLock(\.self) }

  override func main() { result.withLock { $0 = (1...4).reduce(0, +) } }
}

@KeyValueObservable
private final class Transfer: ObservableOperation, @unchecked Sendable {
  var bytes = 0

  var summary: String { "\(bytes) \(isFinished)" }

  override func execute() { finish() }
}

@KeyValueObservable
private final class Owner {
  let operation = Transfer()
}

/// Lines that several threads write.
private final class Log: Sendable {
  private let lines = Guarded<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
