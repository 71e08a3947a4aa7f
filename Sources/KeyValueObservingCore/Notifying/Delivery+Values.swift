public import CKeyValueObserving

// Functions that are specialized for the type of a property.
extension UnsafeMutablePointer<Delivery> {
  /// Whether an observer needs something.
  @inlinable
  @inline(__always)
  func requires(_ needs: ObserverNeeds) -> Bool { pointee.snapshot.needs.contains(needs) }

  /// The value of the property, if an observer requests it as the old or the new one.
  @inlinable
  @inline(__always)
  func value<Value>(for needs: ObserverNeeds, _ read: () -> Value) -> Value? {
    requires(needs) ? read() : nil
  }

  /// Sends prior notifications, and returns the value that the change is going to replace, if it is requested.
  @inlinable
  @inline(__always)
  func oldValueAfterPriors<Value>(_ read: () -> Value) -> Value? {
    requires(.prior) ? sendPriors(read) : value(for: .old, read)
  }

  /// The same where there are prior notifications, after which the value is read again if a callback has changed
  /// something.
  @inlinable
  func sendPriors<Value>(_ read: () -> Value) -> Value? {
    var old = value(for: .old, read)
    _ = sendPriors(old: { withAddress(of: old, $0) }) {
      old = value(for: .old, read)
      return true
    }
    return old
  }

  /// Calls the closure at an index, and those behind it up to the first index where there is none
  /// that asks for the same.
  ///
  /// - `call`: Calls the closure of an entry in place. It is not retained for the call: the delivery keeps the
  ///   entry as it is.
  ///
  /// Returns that index.
  @inlinable
  @inline(__always)
  func callClosures(
    of kind: ObserverEntry.Kind, from first: Int32,
    _ call: (UnsafePointer<ObserverEntry>, AnyObject) -> Void
  ) -> Int32 {
    var index = first
    var entry = pointee.snapshot.observers.unsafelyUnwrapped + Int(first)
    pointee.subject._withUnsafeGuaranteedRef { subject in
      repeat {
        pointee.cursor = index
        call(entry, subject)
        index &+= 1
        entry += 1
      } while index < pointee.runEnd && entry.pointee.kind == kind
    }
    return index
  }

  /// Delivers a change that was made, or leaves it to the delivery of the observed key that is running.
  ///
  /// Most observers are closures that request all values that any observer requests. They are called here, where the
  /// type of the property is known (row: set, 1 observer).
  @inlinable
  @inline(__always)
  func complete<Value>(_ old: consuming Value?, _ new: consuming Value?) {
    let kind = ObserverEntry.Kind(closureNeeding: pointee.snapshot.needs)
    let thread = kvo_thread().unsafelyUnwrapped
    guard enterIfSimple(kind, thread) else { return completeElsewhere(old, new) }
    let change = KeyValueChange(settingTo: consume new, from: consume old)
    let index = callClosures(of: kind, from: 0) { $0.callClosure($1, change) }
    if index < pointee.snapshot.observerCount {
      callOthers(change.oldValue, change.newValue, from: index)
    }
    leave(thread)
  }

  /// The same for values of several words that own nothing.
  ///
  /// A change of them, which has no edit, is not destroyed: Swift would do so by way of its type's metadata, which takes
  /// a sixth of the time of a set (row: set struct).
  @inlinable
  @inline(__always)
  func complete<Value>(plain change: UnsafePointer<KeyValueChange<Value>>) {
    let kind = ObserverEntry.Kind(closureNeeding: pointee.snapshot.needs)
    let thread = kvo_thread().unsafelyUnwrapped
    guard enterIfSimple(kind, thread) else {
      return completeElsewhere(change.pointee.storedOldValue, change.pointee.storedNewValue)
    }
    let index = callClosures(of: kind, from: 0) { $0.callClosure($1, changeAt: change) }
    if index < pointee.snapshot.observerCount {
      callOthers(change.pointee.storedOldValue, change.pointee.storedNewValue, from: index)
    }
    leave(thread)
  }

  /// Makes this the innermost delivery of the thread, if the first observer is a closure that requests all values that
  /// any observer requests, and returns whether it is.
  @inlinable
  @inline(__always)
  func enterIfSimple(
    _ kind: ObserverEntry.Kind, _ thread: UnsafeMutablePointer<kvo_thread_state>
  ) -> Bool {
    // A key with dependents needs phases, which are not simple. So if the needs are simple, there is an
    // observer, and the first entry may be looked at.
    guard pointee.snapshot.needs.isSimple,
      pointee.snapshot.observers.unsafelyUnwrapped.pointee.kind == kind,
      thread.pointee.outermost_change == nil, thread.pointee.recorder == nil
    else { return false }
    pointee.runEnd = pointee.snapshot.closureCount
    pointee.handOver = .last
    enter(thread)
    return true
  }

  /// The same for a change whose old value is not requested, and lives until it has been delivered.
  ///
  /// Its end may make other changes, which come later (P11). Computed keys and paths have captured values in
  /// their own changes (`DerivedChange`).
  @inlinable
  @inline(never)
  func complete<Value>(keeping former: Value, _ new: Value) {
    complete(nil, requires(.new) ? new : nil)
    extendLifetime(former)
  }

  /// The same for observers that are not called here, and for changes that are not delivered now.
  @inlinable
  @inline(never)
  func completeElsewhere<Value>(_ old: Value?, _ new: Value?) {
    withAddress(of: old) { old in
      withAddress(of: new) { new in
        completeElsewhere(at: old, new) {
          ValueBox($0.assumingMemoryBound(to: Value.self).pointee)
        }
      }
    }
  }

  /// The same for values at addresses.
  ///
  /// - `box`: Keeps the value at an address.
  @inlinable
  @inline(__always)
  func completeElsewhere(
    at old: UnsafeRawPointer?, _ new: UnsafeRawPointer?, _ box: (UnsafeRawPointer) -> AnyValueBox
  ) {
    if pointee.snapshot.needs.needsOnlyCalls {
      pointee.noteMade()
      deliver(old, new)
    } else {
      settleAndDeliver(old, new, box)
    }
  }

  /// Evaluates dependents, and delivers the change, or leaves it to a delivery of the observed key that is running.
  @usableFromInline
  func settleAndDeliver(
    _ old: UnsafeRawPointer?, _ new: UnsafeRawPointer?, _ box: (UnsafeRawPointer) -> AnyValueBox
  ) {
    if requires(.dependence) { passOnOutput(nil) }
    settle()
    if let running { return wait(for: running, old.map(box), new.map(box)) }
    deliver(old, new)
  }

  /// Delivers a change of a value of any type that was made.
  func complete(erased old: Any?, _ new: Any?) {
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in complete(erasedAt: old, new) }
    }
  }

  // Not `complete`, which would copy the values (see RuntimeLayout).
  /// The same for values at addresses.
  func complete(erasedAt old: UnsafePointer<Any?>, _ new: UnsafePointer<Any?>) {
    let kind = ObserverEntry.Kind(closureNeeding: pointee.snapshot.needs)
    let thread = kvo_thread().unsafelyUnwrapped
    let isSimple = enterIfSimple(kind, thread)
    let old = requires(.old) ? old : nil
    let new = requires(.new) ? new : nil
    guard isSimple else {
      return completeElsewhere(at: old, new) {
        ValueBox($0.assumingMemoryBound(to: Any?.self).pointee)
      }
    }
    AnyChange.with(borrowed: old, new) { change in
      let index = callClosures(of: kind, from: 0) { $0.callClosure($1, change) }
      if index < pointee.snapshot.observerCount {
        pointee.old = UnsafeRawPointer(old)
        pointee.new = UnsafeRawPointer(new)
        call([], in: .deliver, from: index)
      }
    }
    leave(thread)
  }

  /// Calls the observers from an index on.
  @inlinable
  @inline(never)
  func callOthers<Value>(_ old: Value?, _ new: Value?, from index: Int32) {
    withAddress(of: old) { old in
      withAddress(of: new) { new in
        pointee.old = old
        pointee.new = new
        call([], in: .deliver, from: index)
      }
    }
  }
}

// MARK: Values that are kept

extension UnsafeMutablePointer<Delivery> {
  /// Delivers a change that was made, or leaves it to the delivery of the observed key that is running.
  func deliverOrEnqueue(_ old: AnyValueBox?, _ new: AnyValueBox?) {
    if let running { return wait(for: running, old, new) }
    withAddresses(in: old, new) { old, new in deliver(old, new) }
  }

  /// The same for a change of a mutation block, and behind it those of derived values that have joined that.
  func deliverOrEnqueue(
    _ old: AnyValueBox?, _ new: AnyValueBox?, _ joined: DeferredEvaluations?
  ) {
    guard let joined else { return deliverOrEnqueue(old, new) }
    if let running {
      wait(for: running, old, new)
      return joined.deliver()
    }
    // Before the changes that wait for this one, which come later.
    withAddresses(in: old, new) { old, new in deliver(old, new) { joined.deliver() } }
  }

  /// The same for a change that some histories leave out, which paused when it began.
  func deliverOrEnqueue(
    _ old: AnyValueBox?, _ new: AnyValueBox?, begunPausing histories: PausedHistories?
  ) {
    ThreadState.current.withBeginning(of: pointee.number, pausing: histories) {
      deliverOrEnqueue(old, new)
    }
  }

  /// The same for a change that passes over some observers.
  ///
  /// - `other`: Another delivery to which it is left, if there is one.
  func deliverOrEnqueue(
    _ old: AnyValueBox?, _ new: AnyValueBox?, excluding excluded: Set<ObserverIdentity>,
    behind other: UnsafeMutablePointer<Delivery>?
  ) {
    if let other = other ?? running {
      return other.enqueue(pointee, old: old, new: new, excluding: excluded)
    }
    ThreadState.current.withExclusion(of: excluded, by: self) { deliverOrEnqueue(old, new) }
  }

  /// Leaves a change that was made to a delivery of the observed key that is running.
  private func wait(
    for running: UnsafeMutablePointer<Delivery>, _ old: AnyValueBox?, _ new: AnyValueBox?
  ) {
    if pointee.snapshot.hasRoots {
      withAddress(in: new) { new in
        pointee.new = new
        call(.root, in: .wait)
        pointee.new = nil
      }
    }
    running.enqueue(pointee, old: old, new: new)
  }
}
