internal import CKeyValueObserving

/// A mutation in place of a property of an observed object, from `willModify` to `didModify`.
///
/// Swift stops a program that reads a property while it is being mutated in place. So the engine reads
/// nothing then that the program has not asked for: computed keys and key paths that read the property
/// are evaluated when its mutation ends, and notifications of deallocated objects, whose observers may
/// read any property, are sent when the outermost mutation has ended (P11, P22, P25, P27).
///
/// A mutation belongs to the task that begins it, since a function that takes the property `inout` may
/// suspend the task, which is resumed on another thread. Outside of tasks it belongs to the thread. A task
/// that is run immediately, inside of a mutation of another one, is not recognized.
@usableFromInline
final class InPlaceMutation {
  // The object keeps the context, and lives as long as its property is accessed.
  private let context: Unmanaged<ObservationContext>
  private let name: KeyName
  private let task = kvo_current_task()
  /// The mutation of the same task, or of the same thread, that began before.
  private(set) var outer: InPlaceMutation?
  private var hasEnded = false
  /// The value from before the mutation, if a key path that ends in the property reports it.
  private var old: AnyValueBox?
  /// The number of its own change, 0 if it has none.
  let number: UInt64
  /// Whether its own change is delivered at its end, which makes paths follow.
  private let isDelivered: Bool
  /// The readers of the property, once a change of an input had to find them.
  private var readers: Set<ObjectIdentifier>?
  // Nil where there are none, as in `MutationBlock` (row: mutate [Int] in place).
  private var evaluations: DeferredEvaluations?
  private var deallocations: [Deallocation] = []
  /// The index of the last notification for each weak property.
  private var deallocationIndexes: [ObservedKeyIdentity: Int] = [:]

  /// A notification that an object was deallocated.
  private enum Deallocation {
    /// The change of a weak property that held it, and the step of the transaction in which it was deallocated, or the
    /// first one of several that the property held.
    case ofTarget(TargetDeallocation, step: Int)
    case other(() -> Void)
  }

  /// Begins a mutation of a property, whose key lives as long as the program.
  init(
    of name: KeyName, in context: Unmanaged<ObservationContext>, number: UInt64,
    isDelivered: Bool, old: AnyValueBox?
  ) {
    self.number = number
    self.isDelivered = isDelivered
    self.name = name
    self.context = context
    self.old = old
    if let task {
      outer = TaskMutations.begin(self, in: task)
    } else {
      outer = ThreadState.current.mutation
      ThreadState.current.mutation = self
    }
  }
}

// MARK: The end

extension InPlaceMutation {
  /// Ends the mutation, and makes and delivers the changes of derived values that have waited for
  /// that.
  ///
  /// Its own change comes after them, and `notifyOfDeallocations()` after that. Returns false, and does nothing,
  /// if it has ended before.
  @usableFromInline
  func endAndDeliverDerivedChanges() -> Bool {
    if hasEnded { return false }
    hasEnded = true
    // Accesses end in the reverse order of their beginnings.
    if let task {
      TaskMutations.end(self, in: task)
    } else {
      ThreadState.current.mutation = outer
    }
    old = nil
    if !isDelivered { followUnnotified() }
    evaluations?.inSeries {
      evaluations?.evaluate()
      evaluations?.deliver()
    }
    return true
  }

  /// Lets paths follow a property that does not notify automatically, as they follow its setter (P20).
  private func followUnnotified() {
    // A rollback makes them follow at its end.
    if Transaction.unmanagedCurrent?._withUnsafeGuaranteedRef(\.isRestoring) == true { return }
    let key = context._withUnsafeGuaranteedRef { $0.keyWithObservers(named: name) }
    guard let key = key?.takeUnretainedValue(), key.isManual, !key.isInMutationBlock else { return }
    key.catchUp(pathsOnly: true)
  }

  /// Notifies of the objects that were deallocated, if this was the outermost mutation.
  @usableFromInline
  func notifyOfDeallocations() {
    if deallocations.isEmpty { return }
    ThreadState.pauseRecording {
      // Callbacks of one make changes before the next one's turn.
      if deallocations.count > 1, InPlaceMutation.outermost == nil, Transaction.current == nil {
        for case .ofTarget(let change, _) in deallocations { change.begin() }
      }
      for deallocation in deallocations { Self.notify(of: deallocation) }
    }
  }
}

// MARK: What waits

extension InPlaceMutation {
  /// The outermost mutation that the running code is a part of.
  static var outermost: InPlaceMutation? { outermost { _ in true } }

  /// The outermost mutation of a property that a derived value reads.
  ///
  /// - Complexity: O(1) where nothing is being mutated in place. Otherwise O(*n*) in the number of
  ///   observers of the mutated property for the first derived value, and O(1) on average after that.
  @inline(__always)
  static func outermost(readBy derived: Registration) -> InPlaceMutation? {
    mayBeOpen ? outermost { $0.isRead(by: derived) } : nil
  }

  /// Whether the running code may be a part of a mutation.
  @inline(__always)
  static var mayBeOpen: Bool {
    ThreadState.current.pointee.mutation != nil || kvo_has_task_mutations()
  }

  /// Sends a notification of a deallocated object: now, or when the outermost mutation or transaction has ended.
  static func notify(_ notify: @escaping () -> Void) { self.notify(of: .other(notify)) }

  /// The same for the change of a weak property that held the object.
  ///
  /// Of several that wait for one property the last is delivered.
  static func notify(of change: TargetDeallocation) {
    notify(of: .ofTarget(change, step: Transaction.current?.stepCount ?? 0))
  }

  private static func notify(of deallocation: Deallocation) {
    if let outermost { return outermost.add(deallocation) }
    switch (deallocation, Transaction.current) {
    case (.ofTarget(let change, let step), let transaction?): transaction.append(change, at: step)
    case (.ofTarget(let change, _), nil): change.deliver()
    case (.other(let notify), let transaction?): transaction.whenDelivered(notify)
    case (.other(let notify), nil): notify()
    }
  }

  private func add(_ deallocation: Deallocation) {
    guard case .ofTarget(let change, var step) = deallocation else {
      return deallocations.append(deallocation)
    }
    if let former = deallocationIndexes.updateValue(
      deallocations.count, forKey: change.key.identity)
    {
      if case .ofTarget(_, let first) = deallocations[former] { step = first }
      deallocations[former] = .other {}
    }
    deallocations.append(.ofTarget(change, step: step))
  }

  /// Whether a notification waits that the object in a weak property was deallocated.
  func awaitsDeallocation(of property: ObservedKeyIdentity?) -> Bool {
    property.map { deallocationIndexes[$0] != nil } ?? false
  }

  /// Lets a derived value be evaluated at the end, and a change of it be delivered after that.
  func append(
    evaluationOf derived: Registration, by evaluate: @escaping () -> Void, deliver: (() -> Void)?
  ) {
    var evaluations = evaluations.take() ?? DeferredEvaluations()
    evaluations.append(derived, evaluating: evaluate, deliver: deliver)
    self.evaluations = evaluations
  }

  /// Whether a derived value is to be evaluated at the end.
  func isAwaited(by derived: Registration) -> Bool {
    evaluations?.contains(derived) ?? false
  }

  private static func outermost(where matches: (InPlaceMutation) -> Bool) -> InPlaceMutation? {
    // A mutation of the thread outside of tasks encloses everything that it runs now.
    outermost(from: ThreadState.current.mutation, where: matches)
      ?? kvo_current_task().flatMap {
        outermost(from: TaskMutations.innermost(in: $0), where: matches)
      }
  }

  private static func outermost(
    from innermost: InPlaceMutation?, where matches: (InPlaceMutation) -> Bool
  ) -> InPlaceMutation? {
    var candidate = innermost
    var found: InPlaceMutation?
    while let mutation = candidate {
      if matches(mutation) { found = mutation }
      candidate = mutation.outer
    }
    return found
  }

  /// The value from before the mutation, if it is one of an observed key and that value is known.
  func old(of observedKey: ObservedKeyIdentity?) -> AnyValueBox? {
    guard let observedKey else { return nil }
    let mutated = context._withUnsafeGuaranteedRef { $0.keyWithObservers(named: name) }
    return mutated.map { ObservedKeyIdentity($0.toOpaque()) } == observedKey ? old : nil
  }

  private func isRead(by derived: Registration) -> Bool {
    let readers = readers ?? context._withUnsafeGuaranteedRef { $0.readers(of: name) }
    self.readers = readers
    return readers.contains(ObjectIdentifier(derived))
  }
}

extension ObservationContext {
  /// The computed keys and key paths that read a property, directly or through computed keys.
  fileprivate func readers(of name: KeyName) -> Set<ObjectIdentifier> {
    var readers: Set<ObjectIdentifier> = []
    let observedKey = keyWithObservers(named: name)?.takeUnretainedValue()
    var registrations = observedKey.map { key in lock.withLock { key.state.registrations() } } ?? []
    while let registration = registrations.popLast() {
      if readers.insert(ObjectIdentifier(registration.observation)).inserted {
        registrations += registration.link?.computedKey?.outputRegistrations ?? []
      }
    }
    return readers
  }
}

extension UnsafeMutablePointer<kvo_thread_state> {
  /// The mutation in place that has begun last on the thread, outside of tasks, and is not over.
  fileprivate var mutation: InPlaceMutation? {
    get { pointee.mutation.map { Unmanaged.fromOpaque($0).takeUnretainedValue() } }
    nonmutating set {
      let former = pointee.mutation
      pointee.mutation = newValue.map { Unmanaged.passRetained($0).toOpaque() }
      if let former { Unmanaged<InPlaceMutation>.fromOpaque(former).release() }
    }
  }
}
