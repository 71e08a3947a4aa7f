#if canImport(ObjectiveC)
  public import Foundation
  internal import KeyValueObservingCore

  /// An operation that keeps its own state, and whose readiness can be observed.
  ///
  /// Cocoa's key-value observing observes it, as it does every operation on Apple's platforms.
  open class ObservableConcurrentOperation: Operation, @unchecked Sendable {}

  /// An operation that may go on after `execute()` has returned.
  ///
  /// Cocoa's key-value observing observes it, as it does every operation on Apple's platforms. Its
  /// members, and when they notify, are those of the class of this name elsewhere.
  open class ObservableOperation: ObservableConcurrentOperation, @unchecked Sendable {
    private let lock = Lock()
    // Guarded by `lock`.
    private var state = OperationState()

    /// Does the work.
    ///
    /// Override it and call `finish()` when the work is done, on any thread.
    ///
    /// The default calls `main()` and finishes. Do not call `super`.
    open func execute() {
      main()
      finish()
    }

    /// Ends the work: notifies the observers and the queue.
    ///
    /// Only the first call does anything.
    public final func finish() {
      take(lock.withLock { state.requestFinish() })
    }

    /// Starts the operation.
    ///
    /// A queue calls it; without a queue, call it once the operation is ready.
    public final override func start() {
      guard case .execute = take(lock.withLock { state.start() }) else { return }
      willChangeValue(forKey: "isExecuting")
      lock.withLock { state.beginExecuting() }
      didChangeValue(forKey: "isExecuting")
      guard case .execute = take(lock.withLock { state.executeUnlessEnded() }) else { return }
      execute()
    }

    @discardableResult
    private func take(_ step: OperationState.Step) -> OperationState.Step {
      guard case .finish(let wasExecuting) = step else { return step }
      if wasExecuting { willChangeValue(forKey: "isExecuting") }
      willChangeValue(forKey: "isFinished")
      lock.withLock { state.endFinishing() }
      if wasExecuting { didChangeValue(forKey: "isExecuting") }
      didChangeValue(forKey: "isFinished")
      return step
    }

    public final override var isExecuting: Bool { lock.withLock { state.isExecuting } }

    public final override var isFinished: Bool { lock.withLock { state.isFinished } }

    open override var isAsynchronous: Bool { true }

    open override func cancel() {
      lock.withLock { if state.requestCancel() { state.cancel() } }
      super.cancel()
    }
  }
#endif
