// Changes of a derived value while a property that it reads is being mutated in place.
//
// Mostly that mutation is itself a change of the derived value that is in progress, or is inside such
// a mutation block. All changes in between are then a part of that change. Otherwise the first
// change of an input begins a change of the derived value, which is made at the end of the mutation.
// Its old value cannot be read, and there is no prior notification.
//
// A transaction around the mutation makes the change at its own end, as it makes others.
extension DerivedValue {
  /// Begins a change that is made at the end of a mutation, unless one is under way already.
  func beginChange(
    of link: Link, _ delivery: UnsafeMutablePointer<Delivery>, after mutation: InPlaceMutation,
    from captured: ManualPair.CapturedChange?
  ) {
    let isInTransaction = delivery.isOfTransaction && mutation.number == delivery.pointee.number
    let underWay = lock.withLock {
      let change =
        isInTransaction
        ? state.change(mutation.number) : state.unmadeChange(during: mutation)
      if let change, change.old == nil { change.old = captured?.old }
      return change
    }
    if let underWay {
      guard let part = underWay.part else { return underWay.takeIn(link) }
      part.add(link)
      return take(part: link, in: underWay)
    }
    guard let change = beginChange(with: delivery) else { return }
    change.part?.add(link)
    change.traits.insert(.withoutOldValue)
    change.captured = captured
    change.capturedAfter = ThreadState.current.pointee.last_change
    captureOldValue(of: change, at: link)
    if captured == nil { change.old = value(before: mutation) }
    change.lastChangeInOld = change.capturedAfter
    lock.withLock { state.insert(change) }
    didCapture(change, for: delivery.pointee.pair)
    if !isInTransaction { postpone(change, after: mutation, at: link) }
  }

  /// Sees that the derived value is evaluated at the end of a mutation, after a change of an input.
  ///
  /// - `number`: The number of the change, nil where the derived value is only evaluated.
  /// - `link`: The link to the input that has changed.
  ///
  /// Returns another change that takes in that of the input, if there is one. It may have begun in a transaction, and
  /// take in changes in the names of others then (P57).
  @discardableResult
  func awaitEnd(
    of mutation: InPlaceMutation, number: UInt64?, at link: Link?
  ) -> DerivedChange? {
    let (own, covering) = lock.withLock {
      let own = number.flatMap { state.change($0) }
      return (own, own == nil ? state.unmadeChange(during: mutation) : nil)
    }
    if let own {
      if !own.awaitsMutation { postpone(own, after: mutation, at: link) }
    } else if covering == nil, !mutation.isAwaited(by: self) {
      append(nil, to: mutation, at: link)
    }
    return covering
  }

  private func postpone(
    _ change: DerivedChange, after mutation: InPlaceMutation, at link: Link?
  ) {
    lock.withLock { change.awaitsMutation = true }
    append(change, to: mutation, at: link)
  }

  // By the change, not by its number, which it may lose meanwhile (`renumber`).
  private func append(_ change: DerivedChange?, to mutation: InPlaceMutation, at link: Link?) {
    mutation.append(
      evaluationOf: self, by: { self.evaluateAfterMutation(of: change, at: link) },
      deliver: change.map { change in { self.deliverAfterMutation(change) } })
  }

  /// Evaluates where an input may have changed before the derived value was attached to it.
  ///
  /// Returns whether it could be evaluated now.
  @discardableResult
  func evaluateWhenPossible() -> Bool {
    if let mutation = InPlaceMutation.outermost(readBy: self) {
      awaitEnd(of: mutation, number: nil, at: nil)
      return false
    }
    keep(evaluate(), replacing: true)
    if let number = Transaction.unmanagedCurrent?._withUnsafeGuaranteedRef(\.number) {
      lock.withLock { state.change(number)?.part?.wasEvaluated = true }
    }
    return true
  }

  /// Whether it was evaluated since its change in a transaction began, so that it may be attached to what it has read of
  /// values that a rollback puts back.
  func wasEvaluated(inTransaction number: UInt64) -> Bool {
    lock.withLock { state.change(number)?.part?.wasEvaluated ?? false }
  }

  /// Makes a change that has waited for the end of a mutation, or only evaluates.
  func evaluateAfterMutation(of change: DerivedChange?, at link: Link?) {
    if hasEnded {
      guard let change, lock.withLock({ state.change(change.number) === change }) else { return }
      return forget(change)
    }
    if let mutation = InPlaceMutation.outermost(readBy: self) {
      guard let change else { return append(nil, to: mutation, at: link) }
      return postpone(change, after: mutation, at: link)
    }
    let value = evaluate()
    guard let change, let link else { return keep(value, replacing: true) }
    change.handOver = .last
    make(change.number, value, at: link)
  }

  /// Delivers a change that was made at the end of a mutation in place, or of a mutation block.
  func deliverAfterMutation(_ change: DerivedChange) {
    let thread = ThreadState.current
    let outer = thread.delivery
    var isDelivered = false
    whileDelivering(at: change.handOver) {
      thread.withDeferredChange(at: change.handOver) {
        isDelivered = deliverOrDefer(of: change.number, inside: outer)
      }
    }
    if isDelivered { deliverDeferred() }
  }
}

extension ObservedKey {
  /// The value that the key had before a mutation in place, if the change that has begun with it holds
  /// it: the mutated property, or a key that is computed from it.
  func value(before mutation: InPlaceMutation) -> AnyValueBox? {
    if let old = mutation.old(of: identity) {
      return old
    }
    let key = context.lock.withLock { state.computedKey }
    return key.flatMap { key in
      key.lock.withLock { key.state.unmadeChange(during: mutation)?.old }
    }
  }
}

extension DerivedValueState {
  /// The change that takes in what changes during a mutation: that of the mutation itself, which may have
  /// begun on another thread, or one that the thread has begun and not made yet, such as a mutation block's.
  func unmadeChange(during mutation: InPlaceMutation) -> DerivedChange? {
    let thread = ThreadState.identity
    return lastUnmade { $0.number == mutation.number || $0.isUnmade(on: thread) }
  }
}
