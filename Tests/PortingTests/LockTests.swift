import Foundation
import KeyValueObserving
import Synchronization
import Testing

@Suite("Porting a class that a lock guards")
struct LockTests {
  // guide: lock
  @KeyValueObservable
  class AsynchronousOperation: Operation, @unchecked Sendable {
    private enum State { case ready, executing, finished }

    private let queue = DispatchQueue(label: "state", attributes: .concurrent)
    private var rawState = State.ready
    private var state: State {
      get { queue.sync { rawState } }
      set {
        withMutation(of: \.rawState) {
          queue.sync(flags: .barrier) { rawState = newValue }
        }
      }
    }

    override var isExecuting: Bool { state == .executing }
    override var isFinished: Bool { state == .finished }

    override func start() {
      state = .executing
      state = .finished
    }
  }
  // end

  @Test("P8, P21: observers of a property that is set in a barrier are called after the barrier")
  func barrier() throws {
    try expectPrints("lock") {
      // guide: lock
      let operation = AsynchronousOperation()
      let observation = operation.observe(\.isFinished, options: [.new, .distinct]) {
        operation, change in
        print(operation.isExecuting, change.newValue ?? false)
      }
      operation.start()  // prints false true
      observation.invalidate()
      // end
    }
  }

  // guide: sendable
  @KeyValueObservable
  final class Job: Sendable {
    enum State { case queued, running, finished }

    var state = State.queued
    var log: [String] = []
    var isDone: Bool { state == .finished }
  }
  // end

  @Test("P38: the stored variables of a Sendable class are guarded")
  func sendable() throws {
    try expectPrints("sendable") {
      // guide: sendable
      let job = Job()
      let observation = job.onChange(of: \.isDone) { print(job.state, $0) }
      job.state = .finished  // prints finished true
      observation.invalidate()
      // end
    }
  }

  // guide: mutex
  @KeyValueObservable
  final class Counter: Sendable {
    private let guarded = Mutex(0)

    var count: Int {
      get {
        keyValueRegistrar.access("count", of: self)
        return guarded.withLock { $0 }
      }
      set { withMutation(of: \.count) { guarded.withLock { $0 = newValue } } }
    }

    var isEven: Bool { count.isMultiple(of: 2) }

    func increment() {
      withMutation(of: \.count) { guarded.withLock { $0 += 1 } }
    }
  }
  // end

  @Test("P19, P21: a Mutex, withMutation around it and access in the getter")
  func mutex() throws {
    try expectPrints("mutex") {
      // guide: mutex
      let counter = Counter()
      let observation = counter.onChange(of: \.isEven) { print(counter.count, $0) }
      counter.increment()  // prints 1 false
      counter.count = 4  // prints 4 true
      observation.invalidate()
      // end
    }
  }
}
