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

  // Ordered so that there is no gap between the fields: Swift copies gaps, which stalls a set.
  @usableFromInline
  var slot: Unmanaged<Slot>?
  @usableFromInline
  var subject: Unmanaged<AnyObject>
  /// The old and the new value, of the property's own type, for as long as the phase takes.
  @usableFromInline
  var old: UnsafeRawPointer?
  @usableFromInline
  var new: UnsafeRawPointer?
  /// Tells this change from all others, and which came first, where somebody has to remember it.
  @usableFromInline
  var change: UInt64 = 0
  /// What it was called before it was prepared again, while it is.
  @usableFromInline
  var formerChange: UInt64 = 0
  /// The delivery around this one on the same thread.
  @usableFromInline
  var outer: UnsafeMutablePointer<Delivery>?
  /// The changes of the same slot that wait until this one has reached everyone.
  @usableFromInline
  var waiting: Unmanaged<WaitingChanges>?
  @usableFromInline
  var round = Round()
  @usableFromInline
  var phase = Phase.after
  /// Whether another delivery of the same slot ran when this one began.
  @usableFromInline
  var mayBeNested = false
  /// Who is being called: a place among the observers, or behind them among the dependents.
  @usableFromInline
  var cursor: Int32 = -1
  /// Whether the property was zeroed: it has no old value, and there is no time before (P27).
  @usableFromInline
  var isZeroing = false
  /// Whether observers that are alike may be called in one run.
  @usableFromInline
  var isRunAllowed = false

  /// A change of an object, whose slot is not known yet.
  @inlinable
  init(of subject: AnyObject) {
    self.subject = .passUnretained(subject)
  }

  /// Whether the change needs nothing but a call of each observer after it.
  @inlinable
  var isPlain: Bool { round.demand.isPlain && !mayBeNested }

  /// Gives the change its place in the order of changes, for those who may have to defer it.
  mutating func number() {
    if change == 0 { change = ThreadState.makeChange() }
  }

  /// The slot of a change that has begun.
  var begunSlot: Unmanaged<Slot> { slot.unsafelyUnwrapped }
}

extension UnsafeMutablePointer<Delivery> {
  /// Runs one phase for those whom it concerns, observers first and dependents behind them (P10).
  ///
  /// - Parameter first: The place where to begin.
  func run(_ phase: Delivery.Phase, from first: Int32 = 0) {
    pointee.phase = phase
    let demand: Demand =
      switch phase {
      case .will, .settle, .abandon: .phases
      case .prior: .prior
      case .after: []
      }
    if first == 0 {
      call(pointee.round.observers, count: pointee.round.observerCount, from: 0, demand)
    }
    if pointee.round.dependentCount > 0 {
      call(
        pointee.round.dependents, count: pointee.round.dependentCount,
        from: pointee.round.observerCount, demand)
    }
  }

  /// `run(.after)`, for the path that every set takes.
  @inline(__always)
  private func runAfter() {
    pointee.phase = .after
    call(pointee.round.observers, count: pointee.round.observerCount, from: 0, [])
    if pointee.round.dependentCount > 0 { run(.after, from: pointee.round.observerCount) }
  }

  @inline(__always)
  private func call(
    _ buffer: Audience.Buffer?, count: Int32, from first: Int32, _ demand: Demand
  ) {
    guard let buffer else { return }
    let thread = ThreadState.current
    pointee.isRunAllowed = thread.pointee.silenced == nil && demand.isEmpty
    pointee.cursor = first
    // An attachment may go on to those behind it that are like it, so the cursor says where to
    // continue.
    while pointee.cursor < first &+ count {
      // The places were fixed when the round was pinned; only gaps from before are nil.
      if let entry = buffer[Int(pointee.cursor &- first)] {
        entry._withUnsafeGuaranteedRef { attachment in
          guard attachment.demand.isSuperset(of: demand),
            attachment.isAudience(of: pointee.round)
          else { return }
          if thread.pointee.silenced != nil, thread.isSilenced(attachment) {
            attachment.skip(self)
          } else {
            attachment.receive(attachment, self)
          }
        }
      }
      pointee.cursor &+= 1
    }
  }

  /// Tells those who want to know before the change.
  ///
  /// A prior callback that sets the property again is inside the first, so its depth is bounded
  /// like the rounds of a delivery: there the priors are left out (P18).
  func deliverPriors() {
    let thread = ThreadState.current
    let outer = thread.preparation
    var depth = 0
    var preparation = outer
    while let other = preparation {
      if other.pointee.slot?.toOpaque() == pointee.slot?.toOpaque() { depth += 1 }
      preparation = other.pointee.outer
    }
    guard depth < Settling.roundLimit else { return reportNotSettling() }
    pointee.outer = outer
    thread.preparation = self
    run(.prior)
    thread.preparation = outer
  }

  func reportNotSettling() {
    KeyValueDiagnostics.report(
      .doesNotSettle(
        type: type(of: pointee.subject.takeUnretainedValue()),
        key: pointee.begunSlot.takeUnretainedValue().name.text))
  }

  /// Delivers the change that was made, and then those of the same slot that waited for it.
  func deliver() {
    let thread = ThreadState.current
    pointee.outer = thread.delivery
    thread.delivery = self
    // A getter that changes something must not make what its observers read an input of itself.
    let recording = thread.pointee.recording
    thread.pointee.recording = nil
    if pointee.round.demand.contains(.root), pointee.round.count > 1 {
      withExtendedLifetime(roots()) { run(.after) }
    } else {
      runAfter()
    }
    if pointee.waiting != nil { deliverWaiting() }
    thread.pointee.recording = recording
    thread.delivery = pointee.outer
    if pointee.outer == nil, thread.pointee.silenced != nil { thread.endSilence() }
    end()
  }

  /// The objects from which paths lead to the slot. A callback may release one before the turn of
  /// another observer has come, which is to be told all the same (P14). Only leaf links demand this,
  /// and they stand among the observers.
  private func roots() -> [AnyObject] {
    let round = pointee.round
    return (0..<Int(round.observerCount)).compactMap { place in
      (round.observers?[place]?.takeUnretainedValue() as? Link)?.expression.subject
    }
  }

  /// Lets go of the audience.
  func end() {
    pointee.begunSlot._withUnsafeGuaranteedRef { slot in
      slot.unmanagedContext._withUnsafeGuaranteedRef { context in
        context.lock.lock()
        let latecomers = slot.state.latecomers(to: pointee.round)
        let departed = slot.state.unpin()
        context.lock.unlock()
        if latecomers != nil || departed != nil { release(latecomers, departed) }
      }
    }
  }

  /// Rewires those who came while the value was stored, and releases the closures of observations
  /// that ended during the delivery, outside the lock (P32).
  private func release(_ latecomers: [Expression]?, _ departed: consuming [Attachment]?) {
    departed = nil
    for expression in latecomers ?? [] { expression.evaluate() }
  }

  /// Takes in who has come during the prior callbacks, lets go of who has left, and captures what
  /// they have changed.
  func prepareAgain() {
    let departed = pointee.begunSlot._withUnsafeGuaranteedRef { slot in
      slot.context.lock.withLock { slot.state.extend(&pointee.round) }
    }
    for attachment in departed { attachment.forget(self) }
    // What the callbacks changed comes before this change in the order of changes.
    pointee.formerChange = pointee.change
    pointee.change = ThreadState.makeChange()
    if pointee.round.demand.contains(.phases) { run(.will) }
    pointee.formerChange = 0
  }

  /// Rewires the expressions that were attached between the beginning of the change and now, when
  /// its value is stored. They do not hear of the change (P13).
  func catchUp() {
    let slot = pointee.begunSlot.takeUnretainedValue()
    let latecomers = slot.context.lock.withLock {
      let latecomers = slot.state.latecomers(to: pointee.round)
      pointee.round.expressionCount = slot.state.expressionCount
      return latecomers
    }
    for expression in latecomers ?? [] { expression.evaluate() }
  }

  /// Goes on to the next place, if there is an observation there that is of the same type, asks
  /// for the same and is to be called. Returns whether it did.
  ///
  /// What one more observer costs is mostly decided here: the change is made once for a run.
  @inlinable
  func advance<Observation: Attachment>(
    _ observation: inout Unmanaged<Observation>, type: AnyClass, demanding demand: Demand
  ) -> Bool {
    let place = pointee.cursor &+ 1
    guard pointee.isRunAllowed, place < pointee.round.observerCount,
      let next = pointee.round.observers.unsafelyUnwrapped[Int(place)]
    else { return false }
    let isAlike = next._withUnsafeGuaranteedRef {
      Swift.type(of: $0) == type && $0.demand == demand && $0.isAudience(of: pointee.round)
    }
    guard isAlike else { return false }
    pointee.cursor = place
    observation = Unmanaged.fromOpaque(next.toOpaque())
    return true
  }

  /// The attachment that is being called.
  var called: Attachment? {
    let round = pointee.round
    guard (0..<round.count).contains(pointee.cursor) else { return nil }
    return round.entry(at: pointee.cursor)?.takeUnretainedValue()
  }
}
