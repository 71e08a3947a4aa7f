#if !canImport(ObjectiveC)
  internal import KeyValueObservingCore

  /// An operation whose state can be observed, and that may go on after `execute()` has returned.
  ///
  /// `isReady`, `isExecuting`, `isFinished` and `isCancelled` are observable by typed key path, by
  /// string and by `addObserver`-style observers. The operation queue is notified as well, so an
  /// operation works with dependencies, completion blocks, cancellation and
  /// `maxConcurrentOperationCount`. A subclass overrides one function:
  ///
  ///     final class Download: ObservableOperation, @unchecked Sendable {
  ///       override func execute() {
  ///         load(url) { data in
  ///           self.data = data
  ///           self.finish()
  ///         }
  ///       }
  ///     }
  ///
  /// A subclass whose work is done when a function returns overrides `main()` instead, as one of
  /// `Operation` does. Properties of a subclass are observable with `@KeyValueObservable` in front
  /// of it. A subclass keeps no state of the operation, and calls neither `willChangeValue` nor
  /// `didChangeValue` for it, except if it overrides `isReady`: then `didChangeValue(forKey:
  /// "isReady")` after the change notifies the queue and the observers. With `@KeyValueObservable`,
  /// the override and its condition are `@KeyValueIgnored`, because the operation notifies of them
  /// already; otherwise a change is delivered twice:
  ///
  ///     @KeyValueObservable
  ///     final class Gate: ObservableOperation, @unchecked Sendable {
  ///       @KeyValueIgnored var isOpen = false {
  ///         didSet { didChangeValue(forKey: "isReady") }
  ///       }
  ///
  ///       @KeyValueIgnored override var isReady: Bool { super.isReady && isOpen }
  ///     }
  ///
  /// Observers are called synchronously, with no lock held, on the thread that makes the change
  /// (P8), or on the actor on which the observation was registered (P40): for `isExecuting` the one
  /// that starts the operation, for `isFinished` the one that calls `finish()`, for `isCancelled`
  /// the one that cancels, for `isReady` the one that finishes the last dependency, or that adds or
  /// removes one. Each of `isExecuting`, `isFinished` and `isCancelled` becomes true at most once,
  /// and `isFinished` exactly once in every operation that is started. The queue is notified after
  /// the observers. A transaction does not put the state back (P51).
  ///
  /// On Apple's platforms Cocoa's key-value observing observes a class of this name with the same
  /// members.
  open class ObservableOperation: ObservableConcurrentOperation, @unchecked Sendable {
    private let lock = Lock()
    // Guarded by `lock`.
    private var state = OperationState()

    // MARK: Work

    /// Does the work.
    ///
    /// Override it and call `finish()` when the work is done, on any thread.
    ///
    /// It is called once, on the thread that starts the operation, unless the operation was
    /// cancelled or finished before. Do not call `super`. An operation that is cancelled while it
    /// executes still has to call `finish()`. The default calls `main()` and finishes.
    open func execute() {
      main()
      finish()
    }

    /// Ends the work: notifies the observers of `isExecuting` and `isFinished`, and then the queue,
    /// which starts dependent operations and calls the completion block.
    ///
    /// It may be called on any thread, and any number of times: only the first call does anything.
    /// Observers of either property find both changed (P24). An operation that is finished before
    /// it is started waits for its queue to start it, and finishes then without being executed.
    /// A queue for which `start()` returns while another thread is calling observers may go on
    /// before they have been called.
    ///
    /// - Complexity: O(*n*) in the number of observers of both properties.
    public final func finish() {
      take(lock.withLock { state.requestFinish() })
    }

    /// Starts the operation.
    ///
    /// A queue calls it; without a queue, call it once the operation is ready.
    ///
    /// A second call does nothing. An operation that was cancelled finishes immediately. One that
    /// is not ready is executed all the same.
    public final override func start() {
      guard case .execute = take(lock.withLock { state.start() }) else { return }
      set("isExecuting", to: true, read: { self.isExecuting }) {
        lock.withLock { state.beginExecuting() }
      }
      notifyQueue(of: "isExecuting")
      guard case .execute = take(lock.withLock { state.executeUnlessEnded() }) else { return }
      execute()
    }

    /// Finishes the operation if that is the next step.
    ///
    /// Returns the step.
    @discardableResult
    private func take(_ step: OperationState.Step) -> OperationState.Step {
      guard case .finish(let wasExecuting) = step else { return step }
      let end = { self.lock.withLock { self.state.endFinishing() } }
      // One inside the other, so that both have changed when the first observer is called.
      set("isFinished", to: true, read: { self.isFinished }) {
        guard wasExecuting else { return end() }
        set("isExecuting", to: false, read: { self.isExecuting }, change: end)
      }
      if wasExecuting { notifyQueue(of: "isExecuting") }
      notifyQueue(of: "isFinished")
      return step
    }

    // MARK: State

    /// Whether the operation has been started and has not finished.
    ///
    /// Observable.
    public final override var isExecuting: Bool {
      read("isExecuting") { $0.isExecuting }
    }

    /// Whether the operation has finished, executed or not.
    ///
    /// Observable.
    public final override var isFinished: Bool {
      read("isFinished") { $0.isFinished }
    }

    /// Whether the operation was cancelled before it finished.
    ///
    /// Observable.
    public final override var isCancelled: Bool {
      read("isCancelled") { $0.isCancelled }
    }

    /// Whether the work may go on after `start()` has returned: true.
    open override var isAsynchronous: Bool { true }

    /// Asks the operation to end.
    ///
    /// It does nothing if the operation was cancelled before or has finished.
    ///
    /// An operation that has not been started becomes ready, and its queue finishes it without
    /// executing it. One that executes ends its work by itself: override this, call `super`, and
    /// stop the work, or look at `isCancelled` from time to time.
    open override func cancel() {
      guard lock.withLock({ state.requestCancel() }) else { return }
      cancel { lock.withLock { state.cancel() } }
    }

    // MARK: Notifying

    /// The readiness with the conditions of an override.
    override var noticedReadiness: Bool { isReady }

    private func read(_ key: StaticString, _ value: (OperationState) -> Bool) -> Bool {
      noteRead(key)
      return lock.withLock { value(state) }
    }
  }
#endif
