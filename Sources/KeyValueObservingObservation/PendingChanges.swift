internal import KeyValueObservingCore

/// The source that delivers the changes of a model.
protocol ModelSource: AnyObject {
  /// Returns the value that the model has at a key path.
  func modelValue(at keyPath: AnyKeyPath) -> Any?
  /// Notifies the observers of an entry.
  func report(_ entry: ModelEntry, from oldValue: Any?, to newValue: Any?)
}

/// The changes of a model that the module `Observation` has reported, until the actor delivers them.
///
/// `Observation` reports that a value is about to change, on the thread that changes it, and only once. So
/// the actor reads the value in a later turn, and renews the tracking before that.
final class PendingChanges: @unchecked Sendable {
  private let lock = Lock()
  // The variables below are guarded by `lock`, except those that are set once.
  private var values: [String: TrackedValue] = [:]
  private var changed: [TrackedValue] = []
  private var deliveryCount = 0
  /// Set by the initializer of the source.
  weak var source: (any ModelSource)?
  private weak var actor: (any Actor)?
  private let queue: ActorQueue

  init(_ actor: any Actor) {
    self.actor = actor
    queue = ActorQueue.of(actor)
  }

  // MARK: Reading

  /// Whether observers are being notified.
  var isDelivering: Bool { lock.withLock { deliveryCount > 0 } }

  /// Returns the value that was delivered last for a key path, while observers are being notified and if
  /// it is observed.
  func deliveredValue(of entry: ModelEntry) -> Any? {
    lock.withLock {
      guard deliveryCount > 0, let value = values[entry.key], value.isObserved else {
        return nil
      }
      return value.delivered
    }
  }

  // MARK: Tracking

  /// Begins to track a key.
  ///
  /// Any thread may call it; on the actor, tracking has begun when this returns.
  func track(_ key: String) {
    guard let entry = ModelEntries.entry(forKey: key) else { return }
    let value = lock.withLock {
      let value = values[key] ?? TrackedValue(entry)
      values[key] = value
      value.isObserved = true
      return value
    }
    if queue.isOnActor { begin(value) } else { onActor { $0.begin(value) } }
  }

  /// Ceases to track a key.
  func release(_ key: String) {
    let former = lock.withLock { () -> Any? in
      guard let value = values[key] else { return nil }
      value.isObserved = false
      (value.isChanged, value.isReportedElsewhere) = (false, false)
      return value.delivered.take()
    }
    extendLifetime(former)
  }

  private func begin(_ value: TrackedValue) {
    guard let source, lock.withLock({ value.isObserved && value.delivered == nil }) else { return }
    renew(value, of: source)
  }

  /// Tracks the next change of a value, and then reads the value.
  ///
  /// In this order, a change on another thread in between is either reported or read, unless that thread has
  /// begun it before this and completes it after.
  private func renew(_ value: TrackedValue, of source: any ModelSource) {
    let isTracked = lock.withLock { exchange(&value.isTracked, with: true) }
    let keyPath = value.entry.keyPath
    if !isTracked {
      withObservationTracking {
        _ = source.modelValue(at: keyPath)
      } onChange: { [weak self, weak value] in
        if let value { self?.noteChange(of: value) }
      }
    }
    let current = source.modelValue(at: keyPath)
    // Released outside of the lock.
    let former = lock.withLock {
      value.isObserved ? exchange(&value.delivered, with: current) : nil
    }
    extendLifetime(former)
  }

  // MARK: Changes

  /// Notes that a value is about to change.
  ///
  /// It is called inside of a setter of the model, on any thread.
  private func noteChange(of value: TrackedValue) {
    let isElsewhere = !queue.isOnActor
    let isFirst = lock.withLock {
      value.isTracked = false
      guard value.isObserved else { return false }
      value.isChanged = true
      if isElsewhere { (value.isReportedElsewhere, value.isChangedElsewhere) = (true, true) }
      changed.append(value)
      return changed.count == 1
    }
    if isFirst { onActor { $0.deliver() } }
  }

  /// Delivers the changes that have been reported until now.
  func deliver() {
    guard let source else { return }
    let reported = lock.withLock { exchange(&changed, with: []) }
    // One that is no longer observed has been taken back.
    for value in reported {
      let (isChanged, isReportedElsewhere) = lock.withLock {
        (exchange(&value.isChanged, with: false), exchange(&value.isReportedElsewhere, with: false))
      }
      if isChanged { deliver(value, of: source, mayBeOutstanding: isReportedElsewhere) }
    }
  }

  /// - `mayBeOutstanding`: Whether another thread has reported the change, which may not have made it yet.
  private func deliver(
    _ value: TrackedValue, of source: any ModelSource, mayBeOutstanding: Bool
  ) {
    let former = lock.withLock { value.delivered }.flatMap(flatten)
    renew(value, of: source)
    let (newest, isChangedElsewhere) = lock.withLock { (value.delivered, value.isChangedElsewhere) }
    let current = newest.flatMap(flatten)
    if !mayBeOutstanding || areEqual(former, current) != true {
      lock.withLock { deliveryCount += 1 }
      source.report(value.entry, from: former, to: current)
      lock.withLock { deliveryCount -= 1 }
    }
    if isChangedElsewhere { checkLater(value) }
  }

  /// Looks at a value again when another thread that was changing it has most probably done so.
  private func checkLater(_ value: TrackedValue) {
    if lock.withLock({ exchange(&value.isToBeChecked, with: true) }) { return }
    onActor(after: .milliseconds(10)) { $0.check(value) }
  }

  /// Delivers a value that has changed without a report: another thread began to change it before it was
  /// tracked again, and ended after it was read.
  private func check(_ value: TrackedValue) {
    let (delivered, isPending) = lock.withLock {
      value.isToBeChecked = false
      return (value.delivered, !value.isObserved || value.isChanged)
    }
    guard !isPending, let source, let delivered,
      let current = source.modelValue(at: value.entry.keyPath),
      areEqual(flatten(delivered), flatten(current)) == false
    else { return }
    deliver(value, of: source, mayBeOutstanding: true)
  }

  /// Runs `body` in a turn of the actor, if that still exists.
  private func onActor(
    after delay: Duration? = nil, _ body: @escaping @Sendable (PendingChanges) -> Void
  ) {
    guard let actor else { return }
    Task {
      if let delay { try? await Task.sleep(for: delay) }
      await run(body, on: actor)
    }
  }

  private func run(
    _ body: @Sendable (PendingChanges) -> Void, on actor: isolated any Actor
  ) async {
    body(self)
  }
}
