internal import Synchronization

// Changes that wait for an older one of the same expression to be delivered (P11).
extension Expression {
  /// Whether an older change is still to be delivered to this expression on this thread.
  func isEarly(_ delivery: UnsafeMutablePointer<Delivery>) -> Bool {
    let number = delivery.pointee.change
    return lock.withLock { state.isPreceded(number, on: ThreadState.identity) }
      || hasOlder(than: number, around: delivery)
  }

  /// Whether a delivery around this one has yet to call this expression for an older change.
  func hasOlder(
    than number: UInt64, around delivery: UnsafeMutablePointer<Delivery>
  ) -> Bool {
    delivery.pointee.outer.first { $0.hasYetToReach(self, before: number) } != nil
  }

  /// Takes the old value of a change from the one around it, which began before and is still being
  /// made: nobody has heard of what that has done by now.
  func takeOldValue(for change: ExpressionChange) {
    extendLifetime(lock.withLock { state.takeOldValue(for: change, on: ThreadState.identity) })
  }

  /// Makes the value that is about to be told the old value of the changes around it: scopes of other
  /// inputs, or a set whose store causes a death.
  func passOnValue(of change: ExpressionChange) {
    guard lock.withLock({ state.hasUnmadeOldValue(on: ThreadState.identity) }) else { return }
    // Where nobody asks for the new value, it may be unknown.
    guard let value = change.new ?? change.subject.flatMap({ currentValue(of: $0) }) else { return }
    extendLifetime(lock.withLock { state.passOn(value, on: ThreadState.identity) })
  }

  /// Keeps a change for later that was delivered out of its order.
  func deferDelivery(of change: ExpressionChange) {
    change.isMade = true
    change.isDue = true
    lock.withLock { state.insert(change) }
    deferredCount.wrappingAdd(1, ordering: .relaxed)
  }

  /// Delivers what waited, in the order in which it was made.
  @inline(__always)
  func deliverDeferred() {
    if deferredCount.load(ordering: .relaxed) > 0 { deliverAllDeferred() }
  }

  @inline(never)
  private func deliverAllDeferred() {
    let loopers = Silenced()
    var rounds = 0
    while rounds < Settling.roundLimit, let change = takeDue() {
      rounds += 1
      if rounds > Settling.roundLimit - Settling.suspicionRounds { loopers.insert(change.origin) }
      passOnValue(of: change)
      if hasEnded { drop(change) } else { deliver(change) }
    }
    if rounds == Settling.roundLimit { deliverLast(without: loopers) }
  }

  /// Ends rounds that do not settle: everybody but those who cause them hears the final value.
  private func deliverLast(without loopers: Silenced) {
    guard var last = takeLastDue() else { return }
    reportNotSettling()
    for _ in 0..<Settling.roundLimit {
      loopers.insert(last.origin)
      ThreadState.current.silence(loopers)
      passOnValue(of: last)
      if hasEnded || loopers.contains(identity) { drop(last) } else { deliver(last) }
      guard let next = takeLastDue() else { return }
      last = next
    }
    drop(last)
  }

  private func takeLastDue() -> ExpressionChange? {
    var last: ExpressionChange?
    while let change = takeDue() {
      if let last { drop(last) }
      last = change
    }
    return last
  }

  /// Takes the oldest change, if its turn has come and no older one waits for a running delivery.
  func takeDue() -> ExpressionChange? {
    let due = lock.withLock {
      state.takeDue(on: ThreadState.identity) { number in
        ThreadState.current.delivery.first { $0.hasWaiting(self, before: number) } == nil
      }
    }
    if due != nil { deferredCount.wrappingSubtract(1, ordering: .relaxed) }
    return due
  }
}
