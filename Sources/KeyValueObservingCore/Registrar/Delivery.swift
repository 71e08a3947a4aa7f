internal import CKeyValueObserving

/// One change of one key on its way to its audience.
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

  @usableFromInline
  var slot: Unmanaged<Slot>
  @usableFromInline
  var subject: Unmanaged<AnyObject>
  @usableFromInline
  var round: Round
  /// The old and the new value, of the property's own type, for as long as the phase takes.
  @usableFromInline
  var old: UnsafeRawPointer?
  @usableFromInline
  var new: UnsafeRawPointer?
  @usableFromInline
  var phase = Phase.after
  /// Whether another delivery of the same slot ran when this one began.
  @usableFromInline
  var mayBeNested: Bool
  /// Whether the property was zeroed: it has no old value, and there is no time before (P27).
  var isZeroing = false
  /// Tells this change from all others, where somebody has to remember it.
  var change: UInt64 = 0
  /// Who is being called: a place among the observers, or behind them among the dependents.
  var cursor: Int32 = -1
  /// The delivery around this one on the same thread.
  var outer: UnsafeMutablePointer<Delivery>?
  /// The changes of the same slot that wait until this one has reached everyone.
  var waiting: Unmanaged<WaitingChanges>?

  @usableFromInline
  init(slot: Unmanaged<Slot>, subject: Unmanaged<AnyObject>, round: Round, mayBeNested: Bool) {
    self.slot = slot
    self.subject = subject
    self.round = round
    self.mayBeNested = mayBeNested
  }

  /// Whether the change needs nothing but a call of each observer after it.
  @inlinable
  var isPlain: Bool { round.demand.isPlain && !mayBeNested }

  var context: Context { slot._withUnsafeGuaranteedRef { $0.context } }
}

extension UnsafeMutablePointer<Delivery> {
  /// Runs one phase for the whole audience, observers first and dependents behind them (P10).
  func run(_ phase: Delivery.Phase) {
    pointee.phase = phase
    call(pointee.round.observers, count: pointee.round.observerCount, from: 0)
    if pointee.round.dependentCount > 0 {
      call(
        pointee.round.dependents, count: pointee.round.dependentCount,
        from: pointee.round.observerCount)
    }
  }

  private func call(_ buffer: Audience.Buffer?, count: Int32, from first: Int32) {
    guard let buffer else { return }
    let thread = ThreadState.current
    var place: Int32 = 0
    while place < count {
      // The places were fixed when the round was pinned; only gaps from before are nil.
      if let entry = buffer[Int(place)] {
        pointee.cursor = first + place
        entry._withUnsafeGuaranteedRef { attachment in
          if attachment.hasEnded || thread.pointee.silenced != nil && thread.isSilenced(attachment) {
            attachment.skip(self)
          } else {
            attachment.receive(attachment, self)
          }
        }
      }
      place += 1
    }
  }

  /// Delivers the change that was made, and then those of the same slot that waited for it.
  func deliver() {
    let thread = ThreadState.current
    pointee.outer = thread.delivery
    thread.delivery = self
    if pointee.round.demand.contains(.root), pointee.round.count > 1 {
      withExtendedLifetime(roots()) { run(.after) }
    } else {
      run(.after)
    }
    if pointee.waiting != nil { deliverWaiting() }
    thread.delivery = pointee.outer
    end()
  }

  /// The objects from which paths lead to the slot. A callback may release one before the turn of
  /// another observer has come, which is to be told all the same (P14).
  private func roots() -> [AnyObject] {
    let round = pointee.round
    return (0..<Int(round.observerCount)).compactMap { place in
      (round.observers?[place]?.takeUnretainedValue() as? Link)?.expression.subject
    }
  }

  /// Lets go of the audience.
  func end() {
    let context = pointee.context
    context.lock.lock()
    let departed = pointee.slot._withUnsafeGuaranteedRef { $0.state.unpin() }
    context.lock.unlock()
    // Here, outside the lock, closures of ended observations are released (P32).
    _ = departed
  }

  /// The attachment that is being called.
  var called: Attachment? {
    let place = pointee.cursor
    if place < 0 { return nil }
    let observerCount = pointee.round.observerCount
    let entry =
      place < observerCount
      ? pointee.round.observers?[Int(place)]
      : pointee.round.dependents?[Int(place - observerCount)]
    return entry?.takeUnretainedValue()
  }
}
