#if !canImport(ObjectiveC)
  public import Foundation
  internal import KeyValueObservingCore

  /// An operation that keeps its own state, and whose readiness can be observed.
  ///
  /// Such a subclass of `Operation`, which Apple's documentation calls concurrent, overrides `start()`,
  /// `isExecuting` and `isFinished`, often `isReady` and `isCancelled` as well, and notifies manually
  /// of what it changes. It inherits from this class in place of `Operation`; the rest of it stays:
  ///
  ///     @KeyValueObservable
  ///     final class Download: ObservableConcurrentOperation, @unchecked Sendable {
  ///       @KeyValueIgnored private let finished = Mutex(false)
  ///
  ///       override var isFinished: Bool { finished.withLock(\.self) }
  ///
  ///       override func start() {
  ///         if isCancelled { return finish() }
  ///         load(url) { data in self.finish() }
  ///       }
  ///
  ///       private func finish() {
  ///         willChangeValue(forKey: "isFinished")
  ///         finished.withLock { $0 = true }
  ///         didChangeValue(forKey: "isFinished")
  ///       }
  ///     }
  ///
  /// A manual notification reaches the observers, and after them the operation queue. The class itself
  /// notifies of what Foundation changes: of `isCancelled` in `cancel()`, and of `isReady` when the
  /// last dependency finishes, or when one is added or removed. `isReady` notifies then also if an
  /// override still has another condition: an override that calls `super` can be read again by the
  /// observer. Use ``ObservableOperation`` where a subclass needs no state of its own.
  ///
  /// A getter that reads a property of which an override does not call `super` depends on it only if the
  /// override calls `keyValueRegistrar.access(_:of:)`, or the dependency is declared. A transaction does
  /// not put the state back (P51).
  ///
  /// Observers are called synchronously, with no lock of this class held, on the thread that makes the
  /// change (P8), or on the actor on which the observation was registered (P40): for `isReady` the
  /// one that finishes the last dependency, adds or removes one, or, where a dependency is a plain
  /// operation, that asks for `isReady` next, as the queue does.
  ///
  /// On Apple's platforms Cocoa's key-value observing observes a class of this name, as it does every
  /// operation.
  open class ObservableConcurrentOperation: Operation, KeyValueSource, @unchecked Sendable {
    /// The registrar of the object's observers.
    public final let keyValueRegistrar = KeyValueRegistrar()
    private let readinessLock = Lock()
    // Both are guarded by the lock.
    private var readiness = Readiness()
    private var isCancelRequested = false

    // MARK: State

    /// Whether the operation is executing: what an override returns.
    ///
    /// Observable. The override notifies.
    open override var isExecuting: Bool {
      noteRead("isExecuting")
      return super.isExecuting
    }

    /// Whether the operation has finished: what an override returns.
    ///
    /// Observable. The override notifies.
    open override var isFinished: Bool {
      noteRead("isFinished")
      return super.isFinished
    }

    /// Whether the operation was cancelled.
    ///
    /// Observable.
    open override var isCancelled: Bool {
      noteRead("isCancelled")
      return super.isCancelled
    }

    /// Whether all dependencies have finished, or the operation was cancelled.
    ///
    /// Observable.
    ///
    /// An override that has a condition of its own calls `super`, and notifies of its condition with
    /// `willChangeValue(forKey: "isReady")` before and `didChangeValue(forKey: "isReady")` after the
    /// change. In an ``ObservableOperation`` it calls `didChangeValue` alone: a pair notifies twice.
    /// With `@KeyValueObservable`, the override and its condition are `@KeyValueIgnored`. Foundation
    /// makes a change of the dependencies before it is known here, so a prior notification comes right
    /// before the one after the change.
    open override var isReady: Bool {
      noteRead("isReady")
      let isReady = super.isReady
      lookForReadiness()
      return readinessLock.withLock { readiness.former } ?? isReady
    }

    /// Asks the operation to end.
    ///
    /// Observers of `isCancelled` are notified by the first call, on whichever thread, unless the
    /// operation has finished. An override calls `super`, or notifies of the property itself.
    open override func cancel() {
      let isFirst =
        !isFinished
        && readinessLock.withLock {
          defer { isCancelRequested = true }
          return !isCancelRequested
        }
      if isFirst { cancel {} } else { super.cancel() }
    }

    /// Cancels the operation together with another change, and notifies the observers.
    final func cancel(_ change: () -> Void) {
      set("isCancelled", to: true, read: { self.isCancelled }) {
        change()
        super.cancel()
      }
    }

    open override func addDependency(_ operation: Operation) {
      lookForReadiness()
      super.addDependency(operation)
      lookForReadiness()
    }

    open override func removeDependency(_ operation: Operation) {
      lookForReadiness()
      super.removeDependency(operation)
      lookForReadiness()
    }

    // MARK: Notifying

    /// The readiness of whose changes observers are notified: without the conditions of an override,
    /// which notifies of these.
    var noticedReadiness: Bool { super.isReady }

    /// Asks whether the operation is ready when that becomes observed, so that the first change is delivered.
    ///
    /// It is called on the thread that registers, with no lock held, before the value is read for that (P70). An
    /// override calls `super`; without that, the first change of an overridden `isReady` may be missed.
    ///
    /// - Parameter key: The key that has its first observer.
    open func didBecomeObserved(forKey key: String) {
      if key == "isReady" { lookForReadiness() }
    }

    /// Does nothing.
    ///
    /// It is called on the thread that ends the last observation of the key, with no lock held (P70). An override calls
    /// `super`.
    ///
    /// - Parameter key: The key that has lost its last observer.
    open func didBecomeUnobserved(forKey key: String) {}

    /// Notifies observers if the operation has become ready or unready.
    private func lookForReadiness() {
      guard readinessLock.withLock({ readiness.begin() }) else { return }
      repeat {
        // Observers may change it in turn, which is delivered after this change has been (P11).
        while let isReady = newReadiness {
          set("isReady", to: isReady, read: { self.isReady }) {
            readinessLock.withLock { readiness.publish(isReady) }
          }
          // It may have asked meanwhile, and got the former answer.
          notifyQueue(of: "isReady")
        }
      } while !readinessLock.withLock { readiness.end() }
    }

    /// Whether the operation is ready, nil where that is what observers know.
    private var newReadiness: Bool? {
      let isReady = noticedReadiness
      return readinessLock.withLock { readiness.isNews(isReady) } ? isReady : nil
    }

    final func notifyQueue(of key: String) {
      (self as Operation).didChangeValue(forKey: key)
    }

    /// Called as `willChangeValue(forKey:)`: begins a manual notification, which
    /// `didChangeValue(forKey:)` ends.
    ///
    /// It hides the function of `Operation`, which notifies the queue alone, and calls that after the
    /// observers.
    public final var willChangeValue: _$ManualNotification<ObservableConcurrentOperation> {
      manualNotification(isBeginning: true) { super.willChangeValue(forKey: $0) }
    }

    /// Called as `didChangeValue(forKey:)`: ends a manual notification.
    ///
    /// In an ``ObservableOperation`` it notifies the queue of `isReady`, and then the observers if the
    /// operation has become ready.
    public final var didChangeValue: _$ManualNotification<ObservableConcurrentOperation> {
      manualNotification(isBeginning: false) { super.didChangeValue(forKey: $0) }
    }

    private func manualNotification(
      isBeginning: Bool, callSuperclass: @escaping (String) -> Void
    ) -> _$ManualNotification<ObservableConcurrentOperation> {
      _$ManualNotification(
        of: self, isBeginning: isBeginning, inheritedKeys: [:], callSuperclass: callSuperclass)
    }

    final func noteRead(_ key: StaticString) {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access(key, of: self) }
    }

    final func set(
      _ key: StaticString, to value: Bool, read: () -> Bool, change: () -> Void
    ) {
      var isMade = false
      keyValueRegistrar.set(key, of: self, to: value, read: read) { _ in
        isMade = true
        change()
      }
      // Sets in a `didSet` that a rollback runs are ignored (P50), but an operation goes on.
      if !isMade { change() }
    }

    // MARK: Properties

    open class func keyValueProperties() -> [KeyValueProperty] {
      func properties<Subject: ObservableConcurrentOperation>(
        of _: Subject.Type
      ) -> [KeyValueProperty] {
        [
          .stored("isReady", \Subject.isReady, chained: \Subject?.?.isReady, isReadOnly: true),
          .stored(
            "isExecuting", \Subject.isExecuting, chained: \Subject?.?.isExecuting,
            isReadOnly: true),
          .stored(
            "isFinished", \Subject.isFinished, chained: \Subject?.?.isFinished, isReadOnly: true),
          .stored(
            "isCancelled", \Subject.isCancelled, chained: \Subject?.?.isCancelled,
            isReadOnly: true),
        ]
      }
      return properties(of: Self.self)
    }

    open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
  }
#endif
