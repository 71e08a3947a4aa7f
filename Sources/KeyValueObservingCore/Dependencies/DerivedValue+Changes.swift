// The changes of a derived value, phase by phase of the changes of its inputs.
extension DerivedValue {
  /// Begins a change with that of an input, or goes on with one that was prepared, and captures its old value.
  ///
  /// If another link has begun it already, it only adds the input, in a transaction.
  func capture(_ link: Link, _ delivery: UnsafeMutablePointer<Delivery>) {
    // A getter that changes its own inputs makes no change of its own: the computation that runs it
    // delivers the result.
    if Computation.isRunning(of: self) { return }
    let captured = delivery.pointee.pair.flatMap { pair in
      pair._withUnsafeGuaranteedRef { $0.captured(by: self) }
        ?? valueBeforePair(completedBy: delivery, at: link)
    }
    // In a transaction the change of a pair is one of the key, like others.
    if delivery.pointee.pair != nil, captured == nil, !delivery.isOfTransaction { return }
    let (prepared, begun) = lock.withLock {
      (state.takePrepared(for: delivery), state.change(delivery.pointee.number))
    }
    if let mutation = InPlaceMutation.outermost(readBy: self) {
      if let prepared { drop(prepared) }
      return beginChange(of: link, delivery, after: mutation, from: captured)
    }
    // Another link has begun it: to the same key, or to a computed key that the input is an input of.
    if let begun {
      if let part = begun.part {
        part.add(link)
        take(part: link, in: begun)
      }
      if let prepared { drop(prepared) }
      return
    }
    guard let change = prepared ?? beginChange(with: delivery) else { return }
    change.part?.add(link)
    if prepared == nil {
      if let captured { change.captured = captured }
      captureNow(change, at: link)
    } else {
      change.number = delivery.pointee.number
      captureAgain(change, at: link, takesInObservers: true)
    }
    let isAlone = lock.withLock {
      state.insert(change)
      return state.changes.count == 1
    }
    if !isAlone, captured == nil { takeOldValue(for: change) }
    didCapture(change, for: delivery.pointee.pair)
    if !isAlone { change.replaced = nil }
  }

  /// Captures what a change is going to replace, and notes after which change of the thread.
  func captureNow(_ change: DerivedChange, at link: Link) {
    captureOldValue(of: change, at: link)
    change.capturedAfter = ThreadState.current.pointee.last_change
    change.lastChangeInOld = change.capturedAfter
    change.stage = .captured
  }

  /// Captures what a change is going to replace, if it was not captured or the thread has made another change
  /// since, which in a transaction is a part of this one.
  ///
  /// - `takesInObservers`: Whether prior notifications of other observers may have changed whom it notifies.
  func captureAgain(_ change: DerivedChange, at link: Link, takesInObservers: Bool) {
    let hasChanged = ThreadState.current.pointee.last_change != change.capturedAfter
    if hasChanged, takesInObservers { takeInChangesOfPriors(change) }
    if change.stage != .begun, change.part != nil || !hasChanged { return }
    change.replaced = nil
    captureNow(change, at: link)
    takeOldValue(for: change)
  }

  /// Gives a change that is about to be made its position behind all others of the thread.
  func renumber(_ delivery: UnsafeMutablePointer<Delivery>) {
    guard let change = change(of: delivery), !change.isMade else { return }
    // Nothing is released meanwhile, so that all dependents get the same number.
    renumber(change, to: ThreadState.current.pointee.last_change)
  }

  /// Gives a change that is not made yet another number, with those of dependents that have begun with it.
  func renumber(_ change: DerivedChange, to number: UInt64) {
    change.replaced = lock.withLock { state.renumber(change, to: number) }
    didRenumber(change)
  }

  /// Makes a change, now that the input has changed: evaluates, and attaches to what is read now.
  func settle(_ link: Link, _ delivery: UnsafeMutablePointer<Delivery>) {
    if Computation.isRunning(of: self) {
      if delivery.isWithoutOldValue {
        // The computation itself retained the deallocated object, and its result is out of date.
        evaluate()
      } else if Computation.callsObserver(in: self) {
        // A getter knows what it sets, but not what an observer of that sets in turn.
        lock.withLock { state.outdateEvaluation(on: ThreadState.identity) }
      }
      return
    }
    let number = delivery.pointee.number
    let part = delivery.isOfTransaction ? lock.withLock { state.change(number) } : nil
    // One that was there before the transaction does not start from what only late observers have found.
    var isTakenBack: Bool {
      delivery.isTakenBack || delivery.isLateObserversOnly && transactionAtInit != number
    }
    part?.takePart(of: delivery, from: link.computedChange(number), isTakenBack: isTakenBack)
    if let mutation = InPlaceMutation.outermost(readBy: self) {
      awaitEnd(of: mutation, number: number, at: link)?
        .takePart(of: delivery, from: nil, isTakenBack: isTakenBack)
      return
    }
    // All values are there when the first input is settled.
    if let part, part.isMade {
      if !isTakenBack { part.takeIn(link) }
      return
    }
    if link.role == .computedValue, let known = newValue(at: link, number) {
      make(number, known, at: link)
    } else {
      make(number, evaluate(), at: link)
    }
  }

  /// Makes a change with the new value.
  func make(_ number: UInt64, _ value: consuming AnyValueBox?, at link: Link) {
    guard let change = lock.withLock({ state.markMade(number, on: ThreadState.identity) }) else {
      return
    }
    change.new = consume value
    didMake(change, at: link)
  }

  /// Fixes the observers of a change before prior notifications, in which others may be registered (P13).
  ///
  /// In a transaction the old value is captured, too: what handlers set then is a part of the same change.
  func fixObservers(_ link: Link, _ delivery: UnsafeMutablePointer<Delivery>) {
    guard isComputedKey || delivery.isOfTransaction,
      let change = preparedChange(of: delivery, at: link)
    else { return }
    if change.part != nil { captureAgain(change, at: link, takesInObservers: false) }
  }

  /// Sends prior notifications to the observers, if they request them, once for each change.
  func deliverPrior(_ link: Link, _ delivery: UnsafeMutablePointer<Delivery>) {
    guard requestsPriors, let change = preparedChange(of: delivery, at: link), !change.isPriorSent
    else { return }
    change.isPriorSent = true
    captureAgain(change, at: link, takesInObservers: true)
    let excluded = ThreadState.current.excluded(by: delivery)
    change.part?.noteSentPriors(without: excluded, because: change.reason)
    notifyPrior(of: change, at: link, in: delivery, excluding: excluded)
  }

  /// The change that is kept while prior notifications of a change of an input are sent; nil where none is
  /// begun before the capture.
  private func preparedChange(
    of delivery: UnsafeMutablePointer<Delivery>, at link: Link
  ) -> DerivedChange? {
    // While a property that it reads is being mutated in place, there is no old value to send.
    if Computation.isRunning(of: self) || InPlaceMutation.outermost(readBy: self) != nil {
      return nil
    }
    if let change = lock.withLock({ state.prepared(for: delivery) }) {
      return change
    }
    // The change of another input has begun it, maybe in a prior notification that comes before its own.
    if delivery.isOfTransaction, let change = change(of: delivery) {
      return change.priorNumber == 0 ? nil : change
    }
    guard let change = beginChange(with: delivery) else { return nil }
    fixObservers(of: change, at: link)
    change.capturedAfter = ThreadState.current.pointee.last_change
    lock.withLock { state.prepared.append(change) }
    return change
  }

  /// Delivers a change, unless an older one of this derived value is still to be delivered on this
  /// thread: then it waits for that one (P11).
  @inline(__always)
  func deliver(_ delivery: UnsafeMutablePointer<Delivery>) {
    // The values of the change are released before the deferred changes are looked at, because a
    // deallocation that this causes is one of them.
    if deliverOrDefer(of: delivery.pointee.number, inside: delivery.pointee.outer) {
      if hasDeferred, InPlaceMutation.outermost(readBy: self) == nil { deliverAllDeferred() }
    } else {
      noteDeferral(of: delivery)
    }
  }

  /// Delivers a change, or keeps it for later.
  ///
  /// Returns whether what waited for it may follow.
  func deliverOrDefer(
    of number: UInt64, inside outer: UnsafeMutablePointer<Delivery>?
  ) -> Bool {
    let isEarly = outer != nil && hasOlder(than: number, inside: outer)
    let turn = lock.withLock {
      state.takeTurn(of: number, on: ThreadState.identity, isEarly: isEarly)
    }
    switch consume turn {
    case .now(let change, let isLast):
      if !isLast { passOnValue(of: change) }
      notifyObservers(of: change)
      change.reset()
      // A closure cannot consume what it captures.
      lock.lock()
      let surplus = state.keep(consume change)
      lock.unlock()
      extendLifetime(surplus)
      return true
    case .later:
      deferredCount.wrappingAdd(1, ordering: .relaxed)
      return false
    // Another link may have deferred it, which waits for the same older change.
    case .never:
      return !isEarly
    }
  }

  /// Forgets a change that is not going to be delivered, and those that waited for it.
  ///
  /// None waits for a change that was not made.
  func abandon(_ delivery: UnsafeMutablePointer<Delivery>) {
    if let pair = delivery.pointee.pair { return leave(delivery, to: pair) }
    let wasMade = lock.withLock { state.change(delivery.pointee.number)?.isMade ?? false }
    // Another key that the transaction has changed has made it.
    if wasMade, delivery.isOfTransaction { return }
    forget(delivery)
    if wasMade { dropDeferred() }
  }

  /// Forgets a change that a pair is going to complete, which keeps what was captured.
  private func leave(
    _ delivery: UnsafeMutablePointer<Delivery>, to pair: Unmanaged<ManualPair>
  ) {
    if !hasEnded, let change = change(of: delivery),
      let captured = valuesToHandOver(of: change, to: pair)
    {
      pair._withUnsafeGuaranteedRef { $0.keep(captured, of: self) }
    }
    forget(delivery)
  }

  /// Hands on the change of an input from which a link was detached: to another link, at a computed key that has the same
  /// input and takes part in the change.
  ///
  /// Returns false if there is none, or another thread is evaluating, which attaches links to other keys.
  func leaveToComputedKey(
    _ delivery: UnsafeMutablePointer<Delivery>, besides link: Link
  ) -> Bool {
    guard let change = change(of: delivery), let attachedKeys else { return false }
    let other = attachedKeys.first {
      $0.link !== link
        && $0.key.computedKey?.outputDelivery(of: change.number)?
          .pointee.snapshot.contains(self) == true
    }
    guard let other else { return false }
    change.reason = other.link.isIntermediate ? .pathChanged : .valueChanged
    return true
  }

  /// Forgets the changes that waited for one that is not going to be delivered.
  func dropDeferred() {
    while let change = takeDeferred() { drop(change) }
    lock.withLock { state.endDeferral(on: ThreadState.identity) }
  }
}
