import Foundation
import KeyValueObservingFoundation

/// Keeps its state behind a queue.
@KeyValueObservable
class StateOperation: Operation, @unchecked Sendable {
  enum Stage: Int { case ready, executing, finished }

  private let queue = DispatchQueue(label: "state", attributes: .concurrent)
  @KeyValueIgnored private var storedStage = Stage.ready
  private var stage: Stage {
    get { queue.sync { storedStage } }
    set {
      willChangeValue(forKey: "isReady")
      willChangeValue(forKey: "isExecuting")
      willChangeValue(forKey: "isFinished")
      queue.sync(flags: .barrier) { storedStage = newValue }
      didChangeValue(forKey: "isReady")
      didChangeValue(forKey: "isExecuting")
      didChangeValue(forKey: "isFinished")
    }
  }

  override var isAsynchronous: Bool { true }
  override var isReady: Bool { stage == .ready && super.isReady }
  override var isExecuting: Bool { stage == .executing }
  override var isFinished: Bool { stage == .finished }

  override func start() {
    stage = isCancelled ? .finished : .executing
    if stage == .executing { main() }
    stage = .finished
  }
}

/// Notifies of keys of its own, one of which is no property.
@KeyValueObservable
class ConditionOperation: Operation, @unchecked Sendable {
  @KeyValueIgnored private var isOpen = false
  @KeyValueIgnored private var hasFinished = false
  @KeyValueIgnored private var isRunning = false

  override var isReady: Bool { isOpen && super.isReady }
  override var isExecuting: Bool { isRunning }
  override var isFinished: Bool { hasFinished }

  func open() {
    willChangeValue(forKey: "isReady")
    isOpen = true
    didChangeValue(forKey: "isReady")
  }

  override func start() {
    willChangeValue(forKey: "isExecuting")
    isRunning = true
    didChangeValue(forKey: "isExecuting")
    main()
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    isRunning = false
    hasFinished = true
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}

/// Has no state of its own, and is observed.
class PlainOperation: ObservableOperation, @unchecked Sendable {
  private(set) var result = 0

  override func main() {
    result = 7
  }
}

enum OperationsExample {
  static func run() -> [String] {
    let lines = ExampleLines()
    let (state, condition, plain) = (StateOperation(), ConditionOperation(), PlainOperation())
    let tokens = [
      state.observe(\.isFinished, options: .new) { _, change in
        if change.newValue == true { lines.append("state finished") }
      },
      condition.observe(\.isExecuting, options: .new) { _, change in
        lines.append("condition executing \(change.newValue ?? false)")
      },
      plain.observe(\.isFinished, options: .new) { plain, change in
        lines.append("plain finished \(plain.result)")
      },
    ]
    condition.addDependency(state)
    plain.addDependency(condition)
    let queue = OperationQueue()
    queue.addOperations([plain, condition, state], waitUntilFinished: false)
    condition.open()
    queue.waitUntilAllOperationsAreFinished()
    tokens.forEach { $0.invalidate() }
    return lines.all
  }
}

final class ExampleLines: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  func append(_ line: String) {
    lock.withLock { lines.append(line) }
  }

  var all: [String] { lock.withLock { lines } }
}
