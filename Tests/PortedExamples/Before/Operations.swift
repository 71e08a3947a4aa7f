import Foundation

/// Keeps its state behind a queue.
class StateOperation: Operation, @unchecked Sendable {
  @objc enum Stage: Int { case ready, executing, finished }

  private let queue = DispatchQueue(label: "state", attributes: .concurrent)
  private var storedStage = Stage.ready
  @objc private dynamic var stage: Stage {
    get { queue.sync { storedStage } }
    set { queue.sync(flags: .barrier) { storedStage = newValue } }
  }

  override var isAsynchronous: Bool { true }
  override var isReady: Bool { stage == .ready && super.isReady }
  override var isExecuting: Bool { stage == .executing }
  override var isFinished: Bool { stage == .finished }

  @objc class func keyPathsForValuesAffectingIsReady() -> Set<String> { ["stage"] }

  @objc class func keyPathsForValuesAffectingIsExecuting() -> Set<String> { ["stage"] }

  @objc class func keyPathsForValuesAffectingIsFinished() -> Set<String> { ["stage"] }

  override func start() {
    stage = isCancelled ? .finished : .executing
    if stage == .executing { main() }
    stage = .finished
  }
}

/// Notifies of keys of its own, one of which is no property.
class ConditionOperation: Operation, @unchecked Sendable {
  private var isOpen = false
  private var hasFinished = false
  private var isRunning = false

  override var isReady: Bool { isOpen && super.isReady }
  override var isExecuting: Bool { isRunning }
  override var isFinished: Bool { hasFinished }

  @objc class func keyPathsForValuesAffectingIsReady() -> Set<NSObject> {
    ["condition" as NSObject]
  }

  func open() {
    willChangeValue(forKey: "condition")
    isOpen = true
    didChangeValue(forKey: "condition")
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
class PlainOperation: Operation, @unchecked Sendable {
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
