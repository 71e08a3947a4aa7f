internal import Synchronization

// Changes that wait for an older one of the same derived value to be delivered (P11).
extension DerivedValue {
  /// Whether an older change is still to be delivered to this derived value on this thread.
  func isEarly(_ delivery: UnsafeMutablePointer<Delivery>) -> Bool {
    let number = delivery.pointee.number
    return lock.withLock { state.isPreceded(number, on: ThreadState.identity) }
      || hasOlder(than: number, inside: delivery.pointee.outer)
  }

  /// Whether a delivery, or one around it, has yet to call this derived value for an older change.
  func hasOlder(than number: UInt64, inside outer: UnsafeMutablePointer<Delivery>?) -> Bool {
    outer.outward.first { $0.hasYetToReach(self, before: number) } != nil
  }

  /// Inherits the old value of the enclosing change, which is still in progress and whose effects
  /// no observer has seen.
  func takeOldValue(for change: DerivedChange) {
    let read = lock.withLock { state.takeOldValue(for: change, on: ThreadState.identity) }
    // Taken over twice if prior notifications were sent.
    if change.replaced == nil { change.replaced = read }
    extendLifetime(read)
  }

  /// Makes the value that is about to be delivered the old value of the enclosing changes: mutation
  /// blocks of other inputs, or an assignment whose store causes a deallocation.
  func passOnValue(of change: DerivedChange) {
    if change.isTakenBack, let old = change.old { change.new = old }
    passOn(change.result?.value ?? change.value { currentValue(of: $0) }, of: change.number)
  }

  /// Makes a value that observers receive the old one of changes that have begun before it, and are made when the body
  /// ends in which that was made.
  func passOn(_ value: @autoclosure () -> AnyValueBox?, of number: UInt64) {
    let thread = ThreadState.identity
    guard lock.withLock({ state.hasChanges(around: number, on: thread) }), let value = value()
    else { return }
    // A getter may have let some of them be made, or delivered.
    extendLifetime(lock.withLock { state.passOn(value, of: number, on: thread) })
  }

  /// Reads the value behind a change that was made and does not have it, for changes whose bodies go on, and may lead a
  /// path elsewhere, and for a deallocation.
  @inline(never)
  func readValue(behind change: DerivedChange, _ read: (AnyObject) -> AnyValueBox?) {
    guard requestsOldValues, keepsValue || lock.withLock({ state.unmadeCount > 0 }) else { return }
    change.valueBehind = change.value(read)
  }

  /// Keeps for a change that waits, if it is the change that a delivery has made, what is known of its beginning.
  @inline(never)
  func noteDeferral(of delivery: UnsafeMutablePointer<Delivery>) {
    let number = delivery.pointee.number
    let change = lock.withLock { state.deferredChange(number) }
    // It comes later, but behind what was handed over until now.
    change?.handOver = delivery.pointee.handOver
    change?.pausedHistories = ThreadState.current.historiesPausedAtBeginning(of: number)
  }

  /// Keeps a change for later that was delivered out of its order.
  func deferDelivery(of change: DerivedChange) {
    change.stage = .made
    lock.withLock {
      state.insert(change)
      state.noteDeferral(of: change, on: ThreadState.identity)
    }
    deferredCount.wrappingAdd(1, ordering: .relaxed)
  }

  /// Delivers what waited, in the order in which it was made.
  @inline(__always)
  func deliverDeferred() {
    if hasDeferred { deliverAllDeferred() }
  }

  @inline(__always)
  var hasDeferred: Bool { deferredCount.load(ordering: .relaxed) > 0 }

  @inline(never)
  func deliverAllDeferred() {
    let queue = DeferredQueue(derived: self)
    // An older change may be under delivery around this.
    let outer = queue.withLimit { $0 }
    queue.deliverAll()
    queue.withLimit { $0.resume(outer) }
    lock.withLock { state.endDeferral(on: ThreadState.identity) }
  }

  /// Takes the oldest change, if its turn has come and no older one waits for a running delivery.
  func takeDeferred() -> DerivedChange? {
    let change = lock.withLock {
      state.takeDeferred(on: ThreadState.identity) { number in
        ThreadState.current.delivery.outward.first { $0.hasWaiting(self, before: number) } == nil
      }
    }
    if change != nil { deferredCount.wrappingSubtract(1, ordering: .relaxed) }
    return change
  }
}

/// The changes of a derived value that wait on the running thread for an older one of the same
/// derived value.
private struct DeferredQueue: LimitedQueue {
  let derived: DerivedValue

  func takeFirst() -> DerivedChange? { derived.takeDeferred() }

  func withLimit<Result>(_ body: (inout LoopLimit) -> Result) -> Result {
    derived.lock.withLock { derived.state.withLimit(on: ThreadState.identity, body) }
  }

  func reportLoop(of observers: [ObserverIdentity]) {
    derived.reportNotConverging(because: observers)
  }

  func deliver(_ change: DerivedChange) {
    derived.passOnValue(of: change)
    if derived.hasEnded || ThreadState.current.isSuspended(derived.identity) {
      derived.drop(change)
    } else {
      let thread = ThreadState.current
      // A path has no delivery of its own.
      let number =
        derived.isComputedKey ? change.number : thread.delivery?.pointee.number ?? 0
      thread.withDeferredChange(at: change.handOver) {
        thread.withBeginning(of: number, pausing: change.pausedHistories) {
          derived.notifyObservers(of: change)
        }
      }
    }
  }

  func abandon(_ change: DerivedChange) { derived.drop(change) }
}

extension UnsafeMutablePointer<Delivery> {
  /// Whether the delivery calls `derived` at this moment, or has yet to, for a change that is
  /// older than `number`.
  func hasYetToReach(_ derived: DerivedValue, before number: UInt64) -> Bool {
    let (snapshot, cursor) = (pointee.snapshot, pointee.cursor)
    return (0..<snapshot.count).contains(cursor)
      && snapshot.contains(derived, from: cursor, to: cursor + 1)
      || snapshot.contains(derived, from: cursor + 1) {
        derived.isToDeliver(pointee.number, at: $0)
      }
      || hasWaiting(derived, before: number)
  }

  /// Whether a change that is older than `number` waits for this delivery and concerns
  /// `derived`.
  func hasWaiting(_ derived: DerivedValue, before number: UInt64) -> Bool {
    pointee.waiting?._withUnsafeGuaranteedRef { $0.concerns(derived, before: number) } ?? false
  }
}
