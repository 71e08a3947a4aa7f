/// How far an operation has come.
///
/// A plain value without a lock.
struct OperationState {
  private enum Phase {
    case waiting, starting, executing
    /// `finish()` was called, or the operation is not to be executed. Observers are not notified
    /// yet.
    case finishing(wasExecuting: Bool)
    case finished
  }

  /// The next step.
  enum Step { case execute, finish(wasExecuting: Bool), none }

  private var phase = Phase.waiting
  private var isFinishRequested = false
  private var isCancelRequested = false
  private(set) var isCancelled = false

  var isExecuting: Bool {
    switch phase {
    case .executing, .finishing(wasExecuting: true): true
    default: false
    }
  }

  var isFinished: Bool { if case .finished = phase { true } else { false } }

  /// An operation that is started a second time does nothing, one that was cancelled or finished
  /// before it was started finishes without being executed.
  mutating func start() -> Step {
    guard case .waiting = phase else { return .none }
    if isCancelled || isFinishRequested {
      phase = .finishing(wasExecuting: false)
      return .finish(wasExecuting: false)
    }
    phase = .starting
    return .execute
  }

  mutating func beginExecuting() { phase = .executing }

  /// Returns the step after observers were notified that the operation is executing: one of them
  /// may have cancelled or finished it.
  mutating func executeUnlessEnded() -> Step {
    guard case .executing = phase else { return .none }
    return isCancelled || isFinishRequested ? beginFinishing() : .execute
  }

  /// Only the first request of an executing operation leads on.
  ///
  /// Before that, starting does.
  mutating func requestFinish() -> Step {
    isFinishRequested = true
    return beginFinishing()
  }

  private mutating func beginFinishing() -> Step {
    guard case .executing = phase else { return .none }
    phase = .finishing(wasExecuting: true)
    return .finish(wasExecuting: true)
  }

  mutating func endFinishing() { phase = .finished }

  /// Returns false if the operation was cancelled before or has finished.
  mutating func requestCancel() -> Bool {
    switch phase {
    case .finishing, .finished: return false
    default: break
    }
    defer { isCancelRequested = true }
    return !isCancelRequested
  }

  mutating func cancel() { isCancelled = true }
}
