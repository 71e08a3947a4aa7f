#if canImport(ObjectiveC)
  public import Foundation

  /// Foundation's own `Progress`, which is observable on Apple's platforms.
  public typealias ObservableProgress = Progress
#else
  public import Foundation
  internal import KeyValueObservingCore

  /// A progress that can be observed.
  ///
  /// It is used as `Progress` is, alone or as a part of a tree. Observable are `fractionCompleted`,
  /// `completedUnitCount`, `totalUnitCount`, `isFinished`, `isIndeterminate`, `isCancelled`,
  /// `isPaused`, `isCancellable` and `isPausable`, by typed key path, by string and by
  /// `addObserver`-style observers:
  ///
  ///     let progress = ObservableProgress(totalUnitCount: 10)
  ///     let token = progress.observe(\.fractionCompleted, options: [.old, .new]) { … }
  ///     progress.completedUnitCount += 1
  ///
  /// A child that makes progress changes the `fractionCompleted` of its ancestors, and one that
  /// finishes changes the `completedUnitCount` of its parent. Observers of the ancestors are
  /// notified by the same change, and all observers find all new values (P24). `cancel()`,
  /// `pause()` and `resume()` are passed on to the children. A property that is assigned notifies
  /// in any case (P9). `fractionCompleted` notifies if a unit count has become another one, also if
  /// the fraction is the same, and the properties that follow from the unit counts if their values
  /// change.
  ///
  /// Observers are called synchronously, with no lock held, on the thread that makes the change
  /// (P8), or on the actor on which the observation was registered (P40). Children may make
  /// progress on different threads.
  ///
  /// A child has to be an `ObservableProgress` too. A plain `Progress`, such as one that Foundation
  /// makes, sends no notifications to its parent on Linux, which one diagnostic reports when it is
  /// added.
  ///
  /// A change of a unit count is a transaction (P44): sets that prior handlers make belong to it, and are delivered at
  /// its end. In its `deinit`, a progress notifies only observers of its ancestors.
  ///
  /// In prior notifications the properties have their former values, but for one:
  /// `fractionCompleted` has its new value already in prior notifications of the other properties,
  /// such as `isFinished`.
  ///
  /// Foundation's getter of `fractionCompleted` cannot be overridden on Linux. So it is not found
  /// by reading: a property that is computed from it declares it, `@KeyValueDependent(on:
  /// "progress.fractionCompleted")`, and while other threads make progress it is read with
  /// `value(forKey:)` or from the change.
  ///
  /// A transaction puts back the unit counts. A child that finishes in one that is rolled back does not
  /// count for its parent again, because Foundation has released it from that: begin a new child.
  open class ObservableProgress: Progress, KeyValueObservable, @unchecked Sendable {
    /// The registrar of the object's observers.
    public final let keyValueRegistrar = KeyValueRegistrar()
    /// Guards the unit counts of all trees, since a change of a child changes its ancestors.
    ///
    /// Foundation's own class has no lock on Linux. It is recursive, because Foundation reads the
    /// properties.
    static let lock = NSRecursiveLock()
    nonisolated(unsafe) private static var lastChange: UInt64 = 0

    // Guarded by `lock`.
    private weak var parent: ObservableProgress?
    /// The values before the changes whose observers are being notified, the oldest first.
    private var hidden: [(change: UInt64, former: ProgressValues)] = []
    private var isAddingChild = false

    /// Creates a progress that is part of no tree.
    open override class func discreteProgress(totalUnitCount unitCount: Int64)
      -> ObservableProgress
    {
      let progress = ObservableProgress(parent: nil)
      progress.totalUnitCount = unitCount
      return progress
    }

    // MARK: Unit counts

    /// How much of the work is done.
    ///
    /// Observable.
    open override var completedUnitCount: Int64 {
      get { read("completedUnitCount") { $0.completedUnitCount } }
      set {
        let isChange = newValue != completedUnitCount
        ProgressChange.make(
          of: self, assigning: .completedUnitCount, changesFraction: isChange
        ) { super.completedUnitCount = newValue }
      }
    }

    /// How much work there is.
    ///
    /// Observable.
    open override var totalUnitCount: Int64 {
      get { read("totalUnitCount") { $0.totalUnitCount } }
      set {
        let isChange = newValue != totalUnitCount
        ProgressChange.make(of: self, assigning: .totalUnitCount, changesFraction: isChange) {
          super.totalUnitCount = newValue
        }
      }
    }

    /// Whether the work is done.
    ///
    /// Observable.
    open override var isFinished: Bool {
      read("isFinished") { $0.isFinished }
    }

    /// Whether it is not known how much work there is.
    ///
    /// Observable.
    open override var isIndeterminate: Bool {
      read("isIndeterminate") { $0.isIndeterminate }
    }

    // MARK: Children

    /// Makes a progress a part of this one, whose observers are notified of the child's completed
    /// units.
    ///
    /// The child is cancelled or paused if this one is.
    open override func addChild(_ child: Progress, withPendingUnitCount inUnitCount: Int64) {
      let observable = child as? ObservableProgress
      if observable == nil {
        KeyValueDiagnostics.report(
          .unobservableChild(type(of: child), of: type(of: self)))
      }
      let fraction = observable?.guardedFraction ?? child.fractionCompleted
      ProgressChange.make(of: self, changesFraction: fraction != 0) {
        isAddingChild = true
        super.addChild(child, withPendingUnitCount: inUnitCount)
        isAddingChild = false
        observable?.parent = self
      }
      if isCancelled { child.cancel() }
      if isPaused { child.pause() }
    }

    /// Completes the unit count of `becomeCurrent(withPendingUnitCount:)`, unless a child was added
    /// for it.
    ///
    /// Observers of `fractionCompleted` are notified in both cases.
    @available(*, noasync)
    open override func resignCurrent() {
      ProgressChange.make(of: self, changesFraction: true) { super.resignCurrent() }
    }

    // MARK: Cancelling and pausing

    /// Whether the work was cancelled.
    ///
    /// Observable.
    open override var isCancelled: Bool {
      // Foundation would cancel the child that it adds, and so call observers while the tree is
      // locked.
      get { flag("isCancelled") { super.isCancelled && !isAddingChild } }
      set {
        set("isCancelled", to: newValue, read: { self.isCancelled }) { super.isCancelled = $0 }
      }
    }

    /// Whether the work is paused.
    ///
    /// Observable.
    open override var isPaused: Bool {
      get { flag("isPaused") { super.isPaused && !isAddingChild } }
      set { set("isPaused", to: newValue, read: { self.isPaused }) { super.isPaused = $0 } }
    }

    /// Whether the work can be cancelled.
    ///
    /// Observable.
    open override var isCancellable: Bool {
      get { flag("isCancellable") { super.isCancellable } }
      set {
        set("isCancellable", to: newValue, read: { self.isCancellable }) {
          super.isCancellable = $0
        }
      }
    }

    /// Whether the work can be paused.
    ///
    /// Observable.
    open override var isPausable: Bool {
      get { flag("isPausable") { super.isPausable } }
      set { set("isPausable", to: newValue, read: { self.isPausable }) { super.isPausable = $0 } }
    }

    // MARK: Reading and setting

    /// The values for observers.
    private var values: ProgressValues {
      Self.lock.withLock { hidden.first?.former ?? foundationValuesLocked }
    }

    private func read<Value>(_ key: StaticString, _ value: (ProgressValues) -> Value) -> Value {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access(key, of: self) }
      return value(values)
    }

    private func flag(_ key: StaticString, _ read: () -> Bool) -> Bool {
      if KeyValueRegistrar.isTracking { keyValueRegistrar.access(key, of: self) }
      return Self.lock.withLock(read)
    }

    private func set(
      _ key: StaticString, to value: Bool, read: () -> Bool, _ store: (Bool) -> Void
    ) {
      keyValueRegistrar.set(
        key, of: self, to: value, read: read,
        write: { value in Self.lock.withLock { store(value) } })
    }

    /// Sets a property in a transaction, which puts back the unit counts.
    ///
    /// - `store`: Is called for a unit count, unless that is set while another one is put back.
    final func set(_ key: ProgressKey, _ store: () -> Void) {
      // A progress that is being deallocated belongs to no transaction.
      guard KeyValueRegistrar.isInTransaction(self) else { return store() }
      switch key {
      case .completedUnitCount: set("completedUnitCount", { $0.completedUnitCount }, store)
      case .totalUnitCount: set("totalUnitCount", { $0.totalUnitCount }, store)
      case .isFinished:
        keyValueRegistrar.willChangeInTransaction("isFinished", of: self) { values.isFinished }
      case .isIndeterminate:
        keyValueRegistrar.willChangeInTransaction("isIndeterminate", of: self) {
          values.isIndeterminate
        }
      }
    }

    /// Prepares the observers of the fraction, which is about to change in a transaction.
    final func fractionWillChange() {
      keyValueRegistrar.willChangeInTransaction("fractionCompleted", of: self) { guardedFraction }
    }

    private var guardedFraction: Double { Self.lock.withLock { fractionCompleted } }

    private func set<Value>(
      _ key: StaticString, _ value: (ProgressValues) -> Value, _ store: () -> Void
    ) {
      keyValueRegistrar.set(
        key, of: self, to: value(values), read: { value(values) }, write: { _ in store() })
    }

    // MARK: With the lock held

    final var lineageLocked: [ObservableProgress] {
      Array(sequence(first: self) { $0.parent })
    }

    final var foundationValuesLocked: ProgressValues {
      ProgressValues(
        completedUnitCount: super.completedUnitCount, totalUnitCount: super.totalUnitCount,
        isFinished: super.isFinished, isIndeterminate: super.isIndeterminate)
    }

    final func hideLocked(change: UInt64, former: ProgressValues) {
      hidden.append((change, former))
    }

    final func showLocked(change: UInt64) {
      hidden.removeAll { $0.change == change }
    }

    static func nextChangeLocked() -> UInt64 {
      lastChange += 1
      return lastChange
    }

    // MARK: Properties

    open class func keyValueProperties() -> [KeyValueProperty] {
      func properties<Subject: ObservableProgress>(of _: Subject.Type) -> [KeyValueProperty] {
        [
          .stored(
            "completedUnitCount", \Subject.completedUnitCount,
            chained: \Subject?.?.completedUnitCount),
          .stored("totalUnitCount", \Subject.totalUnitCount, chained: \Subject?.?.totalUnitCount),
          .computed(
            "fractionCompleted", \Subject.fractionCompleted,
            chained: \Subject?.?.fractionCompleted, isReadOnly: true,
            accessor: KeyValueAccessor {
              unsafeDowncast($0, to: ObservableProgress.self).guardedFraction
            }),
          .stored(
            "isFinished", \Subject.isFinished, chained: \Subject?.?.isFinished, isReadOnly: true),
          .stored(
            "isIndeterminate", \Subject.isIndeterminate, chained: \Subject?.?.isIndeterminate,
            isReadOnly: true),
          .stored("isCancelled", \Subject.isCancelled, chained: \Subject?.?.isCancelled),
          .stored("isPaused", \Subject.isPaused, chained: \Subject?.?.isPaused),
          .stored("isCancellable", \Subject.isCancellable, chained: \Subject?.?.isCancellable),
          .stored("isPausable", \Subject.isPausable, chained: \Subject?.?.isPausable),
        ]
      }
      return properties(of: Self.self)
    }

    open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
  }
#endif
