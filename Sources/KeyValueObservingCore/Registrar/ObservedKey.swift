internal import Synchronization

/// One key of one object: what observers attach to, and what a recording of reads lists.
@usableFromInline
final class ObservedKey {
  /// The context, which keeps the observed key.
  ///
  /// Unmanaged, since a retain here would be paid by every set.
  let unmanagedContext: Unmanaged<ObservationContext>
  let name: KeyName
  /// The next observed key of the same context.
  let next: Unmanaged<ObservedKey>?
  /// Calls the closures in the observer list; a property of the class keeps it.
  ///
  /// Set with the first of them.
  @exclusivity(unchecked)
  var invoker: Unmanaged<ClosureInvoker>?
  // Exclusive because the lock of the context is held; checking it again would cost as much.
  @exclusivity(unchecked)
  var state = ObservedKeyState()
  /// Whether an observer or a dependent is attached, which is what `state` says, to be read without a lock.
  let isObserved = Atomic<Bool>(false)
  /// Whether the class switched automatic notification of the key off.
  let isManual: Bool
  /// How many mutation blocks of the key are open, on all threads.
  @exclusivity(unchecked)
  var mutationBlockCount: Int32 = 0

  /// Whether a setter has observers to notify, and nothing prevents it.
  ///
  /// Guarded by the context's lock.
  var isOpen: Bool {
    @inline(__always) get { state.isObserved && !isManual && mutationBlockCount == 0 }
  }

  init(context: ObservationContext, name: KeyName, isManual: Bool, next: Unmanaged<ObservedKey>?) {
    unmanagedContext = .passUnretained(context)
    self.name = name.kept()
    self.isManual = isManual
    self.next = next
  }

  deinit {
    name.deallocate()
  }

  /// Computes the key, if it is one that depends on others.
  var computation: Registration? { withLock { state.extras?.computation } }

  var context: ObservationContext { unmanagedContext.takeUnretainedValue() }

  /// Calls `body` with the lock of the context held, without retaining the context.
  @inline(__always)
  func withLock<Result>(_ body: () -> Result) -> Result {
    unmanagedContext._withUnsafeGuaranteedRef { $0.lock.withLock(body) }
  }
}

/// The identity of an observed key: its address, which may have been deallocated.
typealias ObservedKeyIdentity = UnsafeRawPointer
