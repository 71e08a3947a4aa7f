internal import CKeyValueObserving

/// A change that was made while an earlier one of the same slot was being delivered.
///
/// It took effect at once; its delivery waits until the earlier one has reached everyone (P11).
final class WaitingChange {
  let round: Round
  let change: UInt64
  let old: AnyValueBox?
  let new: AnyValueBox?
  let edit: Edit?
  /// Whose callback made the change.
  let origin: ObserverIdentity?

  init(
    _ delivery: Delivery, old: AnyValueBox?, new: AnyValueBox?, origin: ObserverIdentity?
  ) {
    round = delivery.round
    change = delivery.change
    edit = delivery.edit?.takeUnretainedValue()
    self.old = old
    self.new = new
    self.origin = origin
  }
}

/// The changes of one slot that wait on one thread, in the order in which they were made.
@usableFromInline
final class WaitingChanges {
  private var changes: [WaitingChange] = []

  func concerns(_ expression: Expression, before number: UInt64) -> Bool {
    changes.contains { $0.change < number && $0.round.contains(expression) }
  }

  func append(_ change: WaitingChange) { changes.append(change) }

  func takeFirst() -> WaitingChange? { changes.isEmpty ? nil : changes.removeFirst() }

  /// Takes the last change, and hands those before it to `abandon`.
  func takeLast(abandoning abandon: (WaitingChange) -> Void) -> WaitingChange? {
    let last = changes.popLast()
    let others = changes
    changes = []
    others.forEach(abandon)
    return last
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// The delivery of the same slot that is running on this thread, if there is one.
  var running: UnsafeMutablePointer<Delivery>? {
    if !pointee.round.mayBeNested { return nil }
    let slot = pointee.slot.toOpaque()
    return ThreadState.current.delivery.first { $0.pointee.slot.toOpaque() == slot }
  }

  /// Leaves a change to this delivery, which runs and will deliver it when its own is done.
  func enqueue(_ delivery: Delivery, old: AnyValueBox?, new: AnyValueBox?) {
    let waiting =
      pointee.waiting
      ?? {
        let made = Unmanaged.passRetained(WaitingChanges())
        pointee.waiting = made
        return made
      }()
    let change = WaitingChange(
      delivery, old: old, new: new, origin: ThreadState.current.delivery?.called)
    waiting._withUnsafeGuaranteedRef { $0.append(change) }
  }

  /// Delivers what waits for this delivery, until nothing does.
  @usableFromInline
  func deliverWaiting() {
    guard let retained = pointee.waiting else { return }
    let waiting = retained.takeRetainedValue()
    defer { pointee.waiting = nil }
    let loopers = Silenced()
    var rounds = 0
    while rounds < Settling.roundLimit, let change = waiting.takeFirst() {
      rounds += 1
      if rounds > Settling.roundLimit - Settling.suspicionRounds { loopers.insert(change.origin) }
      deliver(change)
    }
    if rounds == Settling.roundLimit { deliverLast(of: waiting, without: loopers) }
  }

  /// Ends rounds that do not settle: everybody but those who cause them hears the final value.
  private func deliverLast(of waiting: WaitingChanges, without loopers: Silenced) {
    guard var last = waiting.takeLast(abandoning: abandon) else { return }
    reportNotSettling()
    for _ in 0..<Settling.roundLimit {
      loopers.insert(last.origin)
      ThreadState.current.silence(loopers)
      deliver(last)
      guard let next = waiting.takeLast(abandoning: abandon) else { return }
      last = next
    }
    abandon(last)
  }

  private func deliver(_ change: WaitingChange) {
    pointee.round = change.round
    pointee.change = change.change
    pointee.edit = change.edit.map(Unmanaged.passUnretained)
    withAddress(of: change.old) { old in
      withAddress(of: change.new) { new in
        pointee.old = old
        pointee.new = new
        withExtendedLifetime(hasRoots ? roots() : nil) { run(.after) }
      }
    }
    pointee.edit = nil
    end()
  }

  private func abandon(_ change: WaitingChange) {
    pointee.round = change.round
    pointee.change = change.change
    run(.abandon)
    end()
  }
}
