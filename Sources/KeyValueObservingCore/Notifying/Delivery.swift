public import CKeyValueObserving

/// One change of one key on its way to its observers.
///
/// It lives on the stack of the setter. While it delivers, the thread knows it (`ThreadState`), so
/// that a set from inside a callback finds out what is still to be delivered (P11).
@usableFromInline
struct Delivery {
  @usableFromInline
  enum Phase {
    /// Before the change: what is computed from the key captures its old value.
    case will
    /// Before the change, to those who asked for `prior`.
    case prior
    /// Right after the change: what is computed from the key captures its new value.
    case settle
    /// After the change: the observers are called.
    case after
    /// The change will not be delivered.
    case abandon
  }

  // Ordered so that there is no gap between the fields: Swift copies gaps, which stalls a set.
  @usableFromInline
  let observedKey: Unmanaged<ObservedKey>
  @usableFromInline
  let subject: Unmanaged<AnyObject>
  /// The old and the new value, of the property's own type, for as long as the phase takes.
  @usableFromInline
  var old: UnsafeRawPointer?
  @usableFromInline
  var new: UnsafeRawPointer?
  /// The mutation of a collection's elements, retained by the function that makes the change.
  @usableFromInline
  var edit: Unmanaged<Edit>?
  /// Identifies the change and orders it among others, if that has to be remembered.
  @usableFromInline
  var change: UInt64 = 0
  /// The pair that keeps what is captured, or that has kept it; not retained.
  var pair: Unmanaged<ManualPair>?
  /// The delivery around this one on the same thread.
  @usableFromInline
  var outer: UnsafeMutablePointer<Delivery>?
  /// The changes of the same observed key that wait until this one has reached everyone.
  @usableFromInline
  var waiting: Unmanaged<WaitingChanges>?
  @usableFromInline
  var snapshot: ObserverSnapshot
  @usableFromInline
  var phase = Phase.after
  /// Whether the property was zeroed: it has no old value, and there is no time before (P27).
  @usableFromInline
  var isZeroing = false
  /// The observer being called: an index among the observers, or after them among the dependents.
  @usableFromInline
  var cursor: Int32 = -1
  /// Up to where observers that are alike may be called in one run; 0 where each is looked at first.
  @usableFromInline
  var runEnd: Int32 = 0

  @inline(__always)
  init(of subject: AnyObject, at observedKey: Unmanaged<ObservedKey>, _ snapshot: ObserverSnapshot)
  {
    self.subject = .passUnretained(subject)
    self.observedKey = observedKey
    self.snapshot = snapshot
  }

  /// Gives the change its position in the order of changes, for those who may have to defer it.
  mutating func number() {
    if change == 0 { change = ThreadState.makeChange() }
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// Runs one phase for those whom it concerns, observers first and dependents behind them (P10).
  func run(_ phase: Delivery.Phase) {
    pointee.phase = phase
    let needs: ObserverNeeds =
      switch phase {
      case .will, .settle, .abandon: .phases
      case .prior: .prior
      case .after: []
      }
    callObservers(from: 0, needs)
    callDependents(needs)
  }

  /// Runs the phase after the change for those from an index among the observers on.
  @usableFromInline
  func runAfter(from index: Int32) {
    pointee.phase = .after
    callObservers(from: index, [])
    callDependents([])
  }

  private func callObservers(from index: Int32, _ needs: ObserverNeeds) {
    guard let buffer = pointee.snapshot.observers else { return }
    call(buffer, from: index, to: pointee.snapshot.observerCount, needs)
  }

  @inline(__always)
  private func callDependents(_ needs: ObserverNeeds) {
    if pointee.snapshot.dependentCount > 0 { callAllDependents(needs) }
  }

  @inline(never)
  private func callAllDependents(_ needs: ObserverNeeds) {
    guard let buffer = pointee.snapshot.dependents else { return }
    let first = pointee.snapshot.observerCount
    call(buffer - Int(first), from: first, to: pointee.snapshot.count, needs)
  }

  /// Calls the observers at some indexes.
  ///
  /// The closures behind one that are like it are called with it, so the cursor says where to
  /// continue.
  private func call(
    _ buffer: ObserverList.Buffer, from first: Int32, to end: Int32, _ needs: ObserverNeeds
  ) {
    let thread = ThreadState.current
    pointee.runEnd = thread.pointee.suspended == nil ? pointee.snapshot.closureCount : 0
    pointee.cursor = first
    while pointee.cursor < end {
      let mark = buffer[Int(pointee.cursor)].mark.load(ordering: .acquiring)
      if ObserverEntry.Kind(mark: mark).isClosure {
        if needs.isEmpty, pointee.cursor < pointee.snapshot.closureCount { callClosures(thread) }
      } else if let registration = ObserverEntry.registration(mark) {
        call(registration, thread, needs)
      }
      pointee.cursor &+= 1
    }
  }

  private func callClosures(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    if thread.pointee.suspended != nil, isSuspended { return }
    pointee.observedKey._withUnsafeGuaranteedRef { $0.invoker!.call(self) }
  }

  private var isSuspended: Bool {
    called.map { ThreadState.current.isSuspended($0) } ?? false
  }

  private func call(
    _ registration: Unmanaged<Registration>, _ thread: UnsafeMutablePointer<kvo_thread_state>,
    _ needs: ObserverNeeds
  ) {
    registration._withUnsafeGuaranteedRef { registration in
      guard registration.needs.isSuperset(of: needs), registration.isNotified(by: pointee.snapshot)
      else { return }
      if thread.pointee.suspended != nil,
        thread.isSuspended(registration.identity, in: pointee.phase)
      {
        registration.skip(self)
      } else {
        registration.receive(registration, self)
      }
    }
  }

  /// Gives the change its position among others, and lets dependents capture their old values, unless
  /// prior notifications come before that.
  ///
  /// Returns true: a function that begins a change has nothing to do after it.
  @inline(never)
  func captureUnlessPrior() -> Bool {
    if !requires(.prior) { capture() }
    return true
  }

  /// Gives the change its position among others, and lets dependents capture their old values.
  ///
  /// Nothing comes between this and the change itself.
  func capture() {
    let thread = ThreadState.current
    let latest = thread.pointee.changes
    if !pointee.snapshot.needs.isSimple { pointee.number() }
    if !pointee.snapshot.needs.contains(.phases) { return }
    if !requires(.prior) { return run(.will) }
    // Dependents compare what they have captured for prior notifications with the latest change.
    let own = thread.pointee.changes
    thread.pointee.changes = latest
    run(.will)
    thread.pointee.changes = own
  }

  /// Calls the observers of prior notifications from an index on.
  ///
  /// Returns the index behind the first one whose callback has changed something; nil if none is
  /// left.
  ///
  /// A prior callback that sets the property again is inside the first, so its depth is bounded
  /// like the generations of changes that wait: there the priors are left out (P18).
  func deliverPriors(from first: Int32, old: UnsafeRawPointer?) -> Int32? {
    if first == 0, !beginPriors() { return nil }
    pointee.old = old
    // As in `enter(_:)`: what observers read is no input of a getter that makes the change.
    let next = ReadRecorder.pause { callPriors(from: first) }
    pointee.old = nil
    if next == nil { endPriors() }
    return next
  }

  private func beginPriors() -> Bool {
    let thread = ThreadState.current
    var depth = 0
    var preparation = thread.preparation
    while let other = preparation {
      if other.pointee.observedKey.toOpaque() == pointee.observedKey.toOpaque() { depth += 1 }
      preparation = other.pointee.outer
    }
    guard depth < LoopLimit.generationLimit else {
      if thread.suspendPriors(of: pointee.observedKey) {
        reportNotSettling(because: thread.priorLoopers)
      }
      return false
    }
    pointee.outer = thread.preparation
    thread.preparation = self
    keepRoots()
    return true
  }

  /// Ends prior notifications, after the last one or where the change is not going to be made.
  func endPriors() {
    let thread = ThreadState.current
    thread.preparation = pointee.outer
    if thread.pointee.suspended != nil { thread.endSuspension(outside: thread.delivery) }
  }

  /// Runs the phase before the change from an index on.
  ///
  /// Returns the index behind the first one that has changed something; nil if none is left.
  func callPriors(from first: Int32) -> Int32? {
    let thread = ThreadState.current
    let changes = thread.pointee.changes
    pointee.phase = .prior
    pointee.cursor = first
    while pointee.cursor < pointee.snapshot.count {
      if let registration = pointee.snapshot.entry(at: pointee.cursor)?.pointee.registration {
        call(registration, thread, .prior)
      }
      pointee.cursor &+= 1
      if thread.pointee.changes != changes, pointee.cursor < pointee.snapshot.count {
        return pointee.cursor
      }
    }
    return nil
  }

  func reportNotSettling(because observers: [ObserverIdentity]) {
    KeyValueDiagnostics.report(
      .nonConvergence(
        type: type(of: pointee.subject.takeUnretainedValue()),
        key: pointee.observedKey.takeUnretainedValue().name.key
      ).caused(by: observers))
  }

  /// Delivers the change that was made, and then those of the same observed key that waited for it.
  @usableFromInline
  func deliver() {
    let thread = ThreadState.current
    // A getter that changes something must not make what its observers read an input of itself.
    let recorder = thread.pointee.recorder
    thread.pointee.recorder = nil
    enter(thread)
    // Few have any (row: set, 1 observer). They live as long as the changes that wait for this one
    // take, too.
    let roots = hasRoots ? roots() : nil
    runAfter(from: 0)
    leave(thread)
    thread.pointee.recorder = recorder
    extendLifetime(roots)
  }

  /// Makes this the innermost delivery of the thread.
  @inlinable
  @inline(__always)
  func enter(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    pointee.outer = thread.pointee.delivery?.assumingMemoryBound(to: Delivery.self)
    thread.pointee.delivery = UnsafeMutableRawPointer(self)
  }

  /// Ends what `enter(_:)` began, when what waited meanwhile is delivered too.
  @inlinable
  @inline(__always)
  func leave(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    if pointee.waiting != nil { deliverWaiting() }
    thread.pointee.delivery = UnsafeMutableRawPointer(pointee.outer)
    if thread.pointee.suspended != nil { thread.endSuspension(outside: pointee.outer) }
    end()
  }

  /// Whether a callback may release an object from which a path of another observer leads to the
  /// observed key.
  var hasRoots: Bool { pointee.snapshot.needs.contains(.root) && pointee.snapshot.count > 1 }

  /// The objects from which paths lead to the observed key.
  ///
  /// A callback may release one before the turn of another observer, which is to be notified
  /// nevertheless (P14). Only leaf links demand this, and they are among the observers.
  func roots() -> [AnyObject] {
    let snapshot = pointee.snapshot
    return (0..<Int(snapshot.observerCount)).compactMap { index in
      (snapshot.observers?[index].registration?.takeUnretainedValue() as? Link)?.derived.subject
    }
  }

  /// Keeps the same objects from the prior notifications on until the change has been delivered.
  @inline(never)
  private func keepRoots() {
    guard hasRoots else { return }
    if pointee.waiting == nil { pointee.waiting = Unmanaged.passRetained(WaitingChanges()) }
    pointee.waiting?._withUnsafeGuaranteedRef { $0.roots = roots() }
  }

  /// Releases what `keepRoots()` keeps, where the change is not delivered yet.
  func releaseRoots() {
    pointee.waiting?.release()
    pointee.waiting = nil
  }

  /// Ends a change that is not going to be made.
  func abandon() {
    run(.abandon)
    releaseRoots()
    end()
  }

  /// Adds paths that have come to lead to the property in prior notifications, and removes observers that
  /// have ended, where something was changed then.
  func takeInChangesOfPriors() {
    let ended = pointee.observedKey._withUnsafeGuaranteedRef { observedKey in
      observedKey.context.lock.withLock { observedKey.state.extend(&pointee.snapshot) }
    }
    for registration in ended { registration.forget(self) }
  }

  /// Drops paths that were detached from the key during the mutation and are silent from then on
  /// (P25).
  ///
  /// - Parameter changes: The last change that the thread had begun before that. If it has begun
  ///   none since, no path has moved.
  @usableFromInline
  func dismissDeparted(since changes: UInt64) {
    guard ThreadState.current.pointee.changes != changes else { return }
    let ended = pointee.observedKey._withUnsafeGuaranteedRef { observedKey in
      observedKey.context.lock.withLock {
        observedKey.state.dismissDeparted(from: &pointee.snapshot)
      }
    }
    for registration in ended { registration.forget(self) }
  }

  /// Reattaches derived values that were attached before the store: they are not notified (P13).
  func catchUp() {
    let latecomers = pointee.observedKey._withUnsafeGuaranteedRef { observedKey in
      observedKey.unmanagedContext._withUnsafeGuaranteedRef { context in
        context.lock.withLock {
          let latecomers = observedKey.state.latecomers(to: pointee.snapshot)
          pointee.snapshot.derivedCount = observedKey.state.derivedCount
          return latecomers
        }
      }
    }
    for derived in latecomers ?? [] { derived.catchUp() }
  }

  /// The observer that is being called.
  var called: ObserverIdentity? {
    let snapshot = pointee.snapshot
    guard (0..<snapshot.count).contains(pointee.cursor) else { return nil }
    return snapshot.entry(at: pointee.cursor)?.pointee.observer
  }
}
