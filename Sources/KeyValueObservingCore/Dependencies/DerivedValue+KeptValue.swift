internal import Synchronization

// The value that was delivered last, kept where the deallocation of an object may change it: the value
// before that cannot be read any more (P27).
extension DerivedValue {
  /// Whether the value is kept.
  ///
  /// Only few derived values have an observer that requests old values and read a weak property.
  @inline(__always)
  var keepsValue: Bool {
    hasWeakInput.load(ordering: .relaxed) && requestsOldValues
  }

  /// Whether the value is to be kept and has not been yet.
  var lacksValue: Bool { keepsValue && lock.withLock { state.keptValue == nil } }

  /// Notes that it has read a weak property.
  func noteWeakInput() { hasWeakInput.store(true, ordering: .relaxed) }

  /// Keeps the value of an evaluation, unless a change is about to bring one, which is kept when that is delivered.
  ///
  /// - `isReplacing`: Whether it takes the place of a value that was kept before: it has come without a change of
  ///   which observers are notified (P13).
  func keep(_ value: AnyValueBox?, replacing isReplacing: Bool) {
    guard keepsValue, let value else { return }
    let kept = value.withoutObjects
    lock.withLock {
      if state.changes.isEmpty, isReplacing || state.keptValue == nil { state.keptValue = kept }
    }
  }

  /// Keeps the new value of a change that is about to be delivered.
  ///
  /// If the change is a deallocation, its old value is the one that was kept until now.
  func keepValue(of change: DerivedChange) {
    if change.isTakenBack, change.valueBehind == nil { return }
    let value = change.result?.value ?? change.value { currentValue(of: $0) }
    let former = exchangeKeptValue(for: value)
    if change.isWithoutOldValue, change.old == nil { change.old = former }
  }

  /// The old value while the notification of a deallocation waits for the end of a mutation or a transaction: the one
  /// that is delivered last before, since the present one shows the deallocation already; nil if none waits.
  @inline(__always)
  var valueBeforeDeallocation: AnyValueBox?? { keepsValue ? keptBeforeDeallocation() : nil }

  private func keptBeforeDeallocation() -> AnyValueBox?? {
    // Also while the transaction is delivered, in which the change of the weak property has begun.
    let thread = ThreadState.identity
    if let value = lock.withLock({ state.valueBeforeDeallocation(on: thread) }) { return value }
    let (mutation, transaction) = (InPlaceMutation.outermost, Transaction.current)
    if mutation == nil, transaction == nil { return nil }
    func isAwaited(_ key: ObservedKeyIdentity?) -> Bool {
      mutation?.awaitsDeallocation(of: key) ?? false
        || transaction?.awaitsDeallocation(of: key) ?? false
    }
    let isAwaited =
      attachedKeys?.contains { $0.reads(isAwaited) } ?? lastKeyIdentities.contains(where: isAwaited)
    return isAwaited ? Optional(lock.withLock { state.lastValue(on: thread) }) : nil
  }

  /// Keeps a value, and returns the one that was kept until now.
  @discardableResult
  func exchangeKeptValue(for value: AnyValueBox?) -> AnyValueBox? {
    let kept = value?.withoutObjects
    return lock.withLock { exchange(&state.keptValue, with: kept) }
  }
}

extension AnyValueBox {
  /// The box, nil if it holds an object or may do so: a kept object would live longer (P5).
  fileprivate var withoutObjects: AnyValueBox? { holdsNoObject ? self : nil }
}
