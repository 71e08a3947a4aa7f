public import CKeyValueObserving

// # Life of a change
//
// 1. **Begin** (`ObservedKey.begin`, `beginAndCapture`). With the lock of the object held, the
//    observers of the key are fixed in an `ObserverSnapshot`, which keeps the entries of the observer list
//    where they are. Without observers the change is only made.
// 2. **Prior** (`sendPriors`). Computed keys fix their observers (phase `fixObservers`), which without priors is a
//    part of 3. Then observers that request it are notified (`prior`), and may do anything. Derived values capture
//    old values for their own prior observers. If something was changed, the snapshot takes in paths that lead to the
//    key now, and old values are read again.
// 3. **Capture** (`capture`), at the end of `beginAndCapture`, `prepare`, or `sendPriors`. The change gets its
//    number, which is its position among the changes of each derived value, unless its observers need no order
//    (`ObserverNeeds.isSimple`). Derived values compute and keep their old values. No observer is called between
//    this and the change itself.
// 4. **Make.** The body stores the value: that of a setter, a mutation in place, a mutation block. A manual
//    pair and a report of a source have none, since they come after it. If a mutation block, or a setter
//    that runs code of a class, has made other changes, its change gets another number, behind theirs
//    (`runBody`, phase `renumber`). Derived values that begin to read the key in the block have changes of their own,
//    which are made in 5 and delivered behind its observers in 6 (`DerivedValue.joinMutationBlocks`).
// 5. **Settle** (`settle`). Before any callback, derived values are evaluated again and attach to what they read
//    now, so all callbacks see one state (P11, P24). So are those that were attached meanwhile (`catchUp`),
//    which are not notified. A change without derived values skips this, and catches up in 7.
// 6. **Deliver** (`deliver`, `deliverOrEnqueue`). If a delivery of the key runs on this thread already, the
//    change waits for it (`WaitingChanges`, phase `wait`). Otherwise the observers are called in the order of registration,
//    paths among them, then the dependents, which are mostly computed keys (`NotificationOrder`). Each derived value
//    delivers its own change to its own observers. Changes that were made meanwhile follow, as many as `LoopLimit`
//    admits.
// 7. **End** (`end`). The snapshot is given up, and what ended meanwhile is released.
//
// The first call of a manual pair ends after 3 (`beginPair`): derived values forget the change, and leave what they have
// captured to the pair (phase `abandon`), from which the second call takes it in 3 (`completePair`). A change that comes
// to nothing, because its setter throws or its observers have ended, is forgotten in the same phase (`abandon`).
// `Link.receiveChange` lists the function of a derived value for each phase.
//
// No lock is held where code of a user runs: in 2, 4, 6, in getters that 2, 3 and 5 evaluate, and where 7
// releases. One loop (`call(_:in:from:)`) calls the observers in each phase, and each registration in one function
// (`call(_:_:_:)`), with the exception of closures that are all alike: `complete` calls those itself, unless the
// thread has suspended observers or records reads. A tracer belongs into that function, where a registration is
// called or passed over, and would switch `complete` off as suspended observers do.
//
// A set or an edit of a bound key is made again as a transaction after 1, which delivers it with all that bindings have
// written for it (`beginTransactionIfBound`). Other changes of it are written in 6, in the turn of the binding among the
// observers.
//
// In a transaction `PendingChange` runs the phases: 1 to 3 before the first change of a key, 5 to 7 at the
// transaction's end, for all its keys in turn.
//
// The thread knows the changes that it delivers (`ThreadState`), so that a change inside a callback finds out
// what is still to be delivered.
//
// ## Where a change is kept
//
// Only the `Delivery` runs phases. It knows the addresses of the values, and retains nothing but its backlog.
// A change that outlasts the function which makes it is kept by one of these, with the values in boxes:
//
// | Kept by | From | Until | How it comes there, and goes on |
// | --- | --- | --- | --- |
// | `KeyValueModification` | `willModify` | `didModify` | has a copy of the delivery; `end` |
// | `ManualPair` | the first half of a pair | the second | `beginPair`; `completePair`, `captured(by:)` |
// | `WaitingChange` | deliver | a running delivery of the key is over | `enqueue`; `take(changeOf:)` |
// | `DerivedChange` | phases 1 to 3 of an input, a block | deliver | `begin(with:)`; for a computed key `beginDelivery` |
// | `PendingChange` | the first change of a key in a transaction | the transaction's end | `begin`; `withValues` |
// | `TargetDeallocation` | a deallocation in a transaction | the transaction's end | `begin`; `deliver` |
//
// `DerivedChange` and `PendingChange` are used again for other changes, and have a delivery of their own in memory that
// stays. Either may come to wait in turn, for a delivery that runs around it. All use the same names for the same facts:
// `number`, `traits`, `old`, `new`, `edit`, `excluded` (the observers in whose names the change was made, P57),
// `isPriorSent`, `roots` (P14), and `handOver`, the position among what is handed to actors (P40), in the delivery and in
// a change of a derived value that waits.
extension UnsafeMutablePointer<Delivery> {
  /// Whether there is no old value.
  var isWithoutOldValue: Bool { pointee.traits.contains(.withoutOldValue) }

  /// Whether the change is delivered at the end of a transaction.
  var isOfTransaction: Bool { pointee.traits.contains(.transaction) }

  /// Whether only observers of prior notifications are notified, since a transaction has put the value back.
  var isTakenBack: Bool { pointee.traits.contains(.takenBack) }

  /// Whether only observers are notified that were registered in a transaction, which has put the value back.
  var isLateObserversOnly: Bool { pointee.traits.contains(.lateObserversOnly) }

  /// Whether computed keys and paths are notified later.
  var isObserversOnly: Bool { pointee.traits.contains(.observersOnly) }

  // MARK: Running the phases

  /// Runs a phase in which derived values take part, those among the observers first (P10).
  ///
  /// - `needs`: In a transaction, those of all links.
  @inline(__always)
  func run(_ phase: Delivery.Phase, for needs: ObserverNeeds = .phases) {
    if !pointee.snapshot.needs.isDisjoint(with: needs) { call(needs, in: phase) }
  }

  /// The same, for paths as well that take part in the phases of a mutation block.
  @inline(__always)
  func runWithPaths(_ phase: Delivery.Phase) {
    // Two calls, of which each knows the needs (row: set an input).
    if pointee.traits.contains(.receivedInPhases) {
      run(phase, for: .ofLinks)
    } else {
      run(phase)
    }
  }

  /// Calls those that have one of some needs, in a phase: among the observers, from an index on, and then among the
  /// dependents (P10).
  ///
  /// The closures behind one that are like it are called with it, so the cursor says where to continue.
  ///
  /// It stops behind a prior notification that has changed something: see `nextAfterPriors`.
  ///
  /// - `needs`: Empty for all of them; only then are closures called, too.
  @usableFromInline
  func call(_ needs: ObserverNeeds, in phase: Delivery.Phase, from first: Int32 = 0) {
    if needs.isEmpty, isTakenBack { return followPriors() }
    let thread = ThreadState.current
    let lastChange = thread.pointee.last_change
    var end = pointee.snapshot.count
    pointee.phase = phase
    pointee.cursor = first
    while pointee.cursor < end {
      switch pointee.snapshot.entry(at: pointee.cursor).unsafelyUnwrapped.pointee.content {
      case .closure:
        if needs.isEmpty, pointee.cursor < pointee.snapshot.closureCount { callClosures(thread) }
      case .registration(let registration):
        call(registration, thread, needs)
        if phase == .prior, thread.pointee.last_change != lastChange { end = pointee.cursor }
      case .vacant: break
      }
      pointee.cursor &+= 1
    }
  }

  /// The index from which on prior notifications are to be sent, when one has changed something; nil if none is left.
  var nextAfterPriors: Int32? {
    pointee.cursor < pointee.snapshot.count ? pointee.cursor : nil
  }

  /// Notifies those who have received a prior notification of a change that a transaction has put back
  /// (P47).
  @inline(never)
  private func followPriors() {
    let thread = ThreadState.current
    var passedOver = thread.excluded(by: self)
    for registration in pointee.snapshot.registrations() {
      registration._withUnsafeGuaranteedRef {
        if !$0.observation.isReachedByPriors { passedOver.insert($0.identity) }
      }
    }
    thread.withExclusion(of: passedOver, by: self) { run(.deliver, for: .prior) }
    // Others have captured values.
    run(.deliver, for: .ofLinks)
  }

  private func callClosures(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    let isEachLookedAt = thread.pointee.outermost_change != nil
    if isEachLookedAt, passesOverClosure(thread) { return }
    pointee.runEnd = isEachLookedAt ? 0 : pointee.snapshot.closureCount
    let index = pointee.cursor
    let kind = pointee.snapshot.observers.unsafelyUnwrapped[Int(index)].kind
    // Another thread may have ended it since it was looked at. A registration is then like it.
    guard kind.isClosure else { return }
    func call(withChangeAt change: UnsafeRawPointer) {
      _ = callClosures(of: kind, from: index) { $0.callClosure($1, changeAt: change) }
    }
    let needs = kind.needs
    let old = needs.contains(.old) ? pointee.old : nil
    let new = needs.contains(.new) ? pointee.new : nil
    if let accessor = pointee.observedKey._withUnsafeGuaranteedRef({ $0.accessor }) {
      accessor._withUnsafeGuaranteedRef {
        $0.operations.withChange(from: old, to: new, pointee.edit, call)
      }
    } else {
      AnyChange.with(
        borrowed: old?.assumingMemoryBound(to: Any?.self),
        new?.assumingMemoryBound(to: Any?.self), edit: pointee.edit
      ) { change in
        withUnsafePointer(to: change) { call(withChangeAt: UnsafeRawPointer($0)) }
      }
    }
  }

  /// Whether the closure to be called is suspended (P18) or excluded (P57).
  @inline(never)
  private func passesOverClosure(_ thread: UnsafeMutablePointer<kvo_thread_state>) -> Bool {
    guard let called else { return false }
    return thread.isSuspended(called) || thread.excluded(by: self).contains(called)
  }

  private func call(
    _ registration: Unmanaged<Registration>, _ thread: UnsafeMutablePointer<kvo_thread_state>,
    _ needs: ObserverNeeds
  ) {
    registration._withUnsafeGuaranteedRef { registration in
      guard needs.isEmpty || !registration.needs.isDisjoint(with: needs),
        registration.isNotified(by: pointee.snapshot)
      else { return }
      if thread.pointee.outermost_change != nil, passesOver(registration, thread) { return }
      // `KeyObservation.receive` of an observer of the key; of a link `Link.receiveChange` or `receiveLeafChange`.
      registration.receive(registration, self)
    }
  }

  /// Whether an observer is not notified, because it causes a loop (P18) or its changes are made without
  /// notifying it (P57).
  @inline(never)
  private func passesOver(
    _ registration: Registration, _ thread: UnsafeMutablePointer<kvo_thread_state>
  ) -> Bool {
    if thread.isSuspended(registration.identity, in: pointee.phase) {
      registration.skip(self)
      return true
    }
    guard registration.link == nil,
      thread.excluded(by: self).contains(registration.identity)
    else { return false }
    if registration.needs.contains(.distinct), pointee.phase == .deliver {
      thread.markingPassedOver { registration.receive(registration, self) }
    }
    return true
  }

  func reportNotConverging(because observers: [ObserverIdentity]) {
    KeyValueDiagnostics.report(
      .nonConvergence(
        type: type(of: pointee.subject.takeUnretainedValue()),
        key: pointee.observedKey.takeUnretainedValue().name.key, after: LoopLimit.generationLimit
      ).caused(by: observers))
  }

  /// Delivers the change that was made, and then those of the same observed key that waited for it.
  @usableFromInline
  func deliver(_ old: UnsafeRawPointer?, _ new: UnsafeRawPointer?) {
    pointee.old = old
    pointee.new = new
    let thread = ThreadState.current
    // A getter that changes something must not make what its observers read an input of itself.
    let recorder = thread.pointee.recorder
    thread.pointee.recorder = nil
    enter(thread)
    // Few have any (row: set, 1 observer), and a single observer keeps its own while it is called.
    let roots =
      pointee.snapshot.hasRoots && pointee.snapshot.count > 1 ? pointee.snapshot.roots : nil
    call([], in: .deliver)
    leave(thread)
    thread.pointee.recorder = recorder
    extendLifetime(roots)
  }

  // Not the same function with another parameter (row: path of 8, last key set).
  /// Delivers the change, then what `deliverOthers` delivers, and then the changes that have waited.
  func deliver(
    _ old: UnsafeRawPointer?, _ new: UnsafeRawPointer?, _ deliverOthers: () -> Void
  ) {
    pointee.old = old
    pointee.new = new
    let thread = ThreadState.current
    let roots = pointee.snapshot.roots
    ThreadState.pauseRecording {
      enter(thread)
      call([], in: .deliver)
      deliverOthers()
      leave(thread)
    }
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
    if pointee.backlog != nil { return leaveBehindWaiting(thread) }
    leaveUnended(thread)
    end()
  }

  /// The same, but for what waits and for the observers.
  @inlinable
  @inline(__always)
  func leaveUnended(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    thread.pointee.delivery = UnsafeMutableRawPointer(pointee.outer)
    if thread.pointee.outermost_change != nil { thread.endOutermostChange(outside: pointee.outer) }
  }

  /// The same where changes have waited for this one, which makes the delivery theirs.
  @usableFromInline
  func leaveBehindWaiting(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    let number = pointee.snapshot.number
    deliverWaiting()
    leaveUnended(thread)
    Self.lockAndEnd(self, pinned: number)
  }

  /// The observer that is being called.
  var called: ObserverIdentity? {
    let snapshot = pointee.snapshot
    guard (0..<snapshot.count).contains(pointee.cursor) else { return nil }
    return snapshot.entry(at: pointee.cursor)?.pointee.observer
  }
}
