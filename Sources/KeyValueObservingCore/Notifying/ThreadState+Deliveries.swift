public import CKeyValueObserving

extension UnsafeMutablePointer<kvo_thread_state> {
  /// The innermost delivery that is running on the thread.
  var delivery: UnsafeMutablePointer<Delivery>? {
    get { pointee.delivery?.assumingMemoryBound(to: Delivery.self) }
    nonmutating set { pointee.delivery = newValue.map { UnsafeMutableRawPointer($0) } }
  }

  /// The innermost change whose prior notifications are being sent on the thread.
  var preparation: UnsafeMutablePointer<Delivery>? {
    get { pointee.preparation?.assumingMemoryBound(to: Delivery.self) }
    nonmutating set { pointee.preparation = newValue.map { UnsafeMutableRawPointer($0) } }
  }

  /// The innermost change that has been made on the thread, and whose dependents are being evaluated.
  var settlingDelivery: UnsafeMutablePointer<Delivery>? {
    get { pointee.settling_delivery?.assumingMemoryBound(to: Delivery.self) }
    nonmutating set { pointee.settling_delivery = newValue.map { UnsafeMutableRawPointer($0) } }
  }

  /// Whether a change around is being made by code of a class or of its user.
  var isRunningBody: Bool { pointee.mutation_block != nil || pointee.running_bodies != 0 }

  /// A number for the prior notifications of a change.
  ///
  /// No others that are being sent on the thread have it: they would have to be inside 65,000 of them.
  func makePriorNumber() -> UInt16 {
    pointee.last_prior_number &+= 1
    if pointee.last_prior_number == 0 { pointee.last_prior_number = 1 }
    return pointee.last_prior_number
  }

  /// How many prior notifications are being delivered on the thread, each inside of the next.
  var priorDepth: Int { preparation.outward.count { _ in true } }

  /// Suppresses observers until the outermost change of the thread has ended
  /// (P18).
  ///
  /// Otherwise, loops that run through several properties would each have their snapshots inside the
  /// snapshots of the others.
  func suspend(_ observers: [ObserverIdentity]) {
    let suspended = madeOutermostChange().suspended
    for observer in observers { suspended.insert(observer) }
    for delivery in delivery.outward { delivery.pointee.runEnd = 0 }
  }

  /// Suppresses prior notifications of the observers that a preparation of an observed key is
  /// calling (P18).
  ///
  /// Returns all observers that are no longer called before a change; nil if these were among them already.
  ///
  /// Otherwise each of several observers that set a property before it is set would do so at every
  /// depth that the others have reached.
  func suspendPriors(of observedKey: Unmanaged<ObservedKey>) -> [ObserverIdentity]? {
    let suspended = madeOutermostChange().suspended
    var isNews = false
    for preparation in preparation.outward where preparation.isOf(observedKey) {
      if suspended.insertPrior(preparation.called) { isNews = true }
    }
    return isNews ? suspended.priorObservers : nil
  }

  private func madeOutermostChange() -> OutermostChange {
    if let outermostChange { return outermostChange }
    let made = OutermostChange()
    pointee.outermost_change = Unmanaged.passRetained(made).toOpaque()
    return made
  }

  /// Calls a closure when the outermost change of the thread has ended, or the transaction whose changes are
  /// being delivered.
  func whenOutermostChangeEnds(_ body: @escaping () -> Void) {
    madeOutermostChange().append(body)
  }

  /// Ends the state of the outermost change where no change is around the one that is over.
  @usableFromInline
  func endOutermostChange(outside outer: UnsafeMutablePointer<Delivery>?) {
    guard pointee.preparation == nil, pointee.ending_transactions == 0,
      let ended = pointee.outermost_change
    else { return }
    guard outer == nil else {
      // No loop is left that they could take up again.
      if pointee.running_queues == 0 { suspended?.removeAll() }
      return
    }
    pointee.outermost_change = nil
    Unmanaged<OutermostChange>.fromOpaque(ended).takeRetainedValue().end()
  }

  // MARK: Positions among what is handed to actors

  /// The position of the first change that is being delivered: all that was handed over before it comes first.
  var outermostPosition: HandOver {
    var first = HandOver(number: pointee.series_position)
    for deliveries in [delivery, settlingDelivery] {
      let outermost = deliveries.outward.first { $0.pointee.outer == nil }?.pointee.handOver
      if let outermost, first == .none || outermost <= first { first = outermost }
    }
    return first == .none ? .last : first
  }

  /// The position of the change of which an observer is being notified: all that was handed over before it comes first.
  var innermostPosition: HandOver {
    let deferred = HandOver(number: pointee.deferred_position)
    guard let innermost = delivery?.pointee.handOver else {
      return deferred == .none ? .last : deferred
    }
    return deferred == .none || deferred <= innermost ? innermost : deferred
  }

  /// Runs `body`, which delivers several changes, one after the other, from the present position on.
  @inline(__always)
  func withSeries(_ body: () -> Void) {
    let outer = pointee.series_position
    if outer == 0 { pointee.series_position = HandOver.last.number }
    body()
    pointee.series_position = outer
  }

  /// Runs `body`, which delivers a change of a derived value later than it was made.
  func withDeferredChange(at position: HandOver, _ body: () -> Void) {
    let outer = pointee.deferred_position
    pointee.deferred_position = position.number
    body()
    pointee.deferred_position = outer
  }

  /// Runs `body`, in which a delivery passes over observers.
  func withExclusion<Result>(
    of observers: Set<ObserverIdentity>, by delivery: UnsafeMutablePointer<Delivery>,
    _ body: () -> Result
  ) -> Result {
    // A change that waits for one which passes over observers passes over others.
    if observers.isEmpty, excluded(by: delivery).isEmpty { return body() }
    return appending((delivery, observers), to: \.exclusions, body)
  }

  /// Runs `body`, in which the outermost change has one of these more.
  private func appending<State, Result>(
    _ state: State, to states: ReferenceWritableKeyPath<OutermostChange, [State]>,
    _ body: () -> Result
  ) -> Result {
    let outermostChange = madeOutermostChange()
    outermostChange[keyPath: states].append(state)
    defer {
      outermostChange[keyPath: states].removeLast()
      endOutermostChange(outside: delivery)
    }
    return body()
  }

  /// Runs `body`, which calls an observer, or lets one that is passed over take note of the value (P57).
  @inline(__always)
  func markingPassedOver(if isPassedOver: Bool = true, _ body: () -> Void) {
    if isPassedOver { pointee.is_passing_over = true }
    body()
    if isPassedOver { pointee.is_passing_over = false }
  }

  /// Whether the observer that is called is passed over; those that are called in turn are not.
  func takePassingOver() -> Bool {
    defer { pointee.is_passing_over = false }
    return pointee.is_passing_over
  }

  /// The observers that a delivery passes over.
  func excluded(by delivery: UnsafeMutablePointer<Delivery>) -> Set<ObserverIdentity> {
    outermostChange?.exclusions.last { $0.delivery == delivery }?.observers ?? []
  }

  /// Runs `body`, which delivers a change that began earlier, when some histories paused (P58).
  ///
  /// - `number`: The number of the change.
  func withBeginning(
    of number: UInt64, pausing histories: PausedHistories?, _ body: () -> Void
  ) {
    if histories == nil, pointee.paused_histories == nil,
      outermostChange?.beginnings.isEmpty ?? true
    {
      return body()
    }
    appending((number, histories), to: \.beginnings, body)
  }

  /// The histories that paused when a change began which is being delivered: that with a number, or the innermost one.
  func historiesPausedAtBeginning(of number: UInt64? = nil) -> PausedHistories? {
    let number = number ?? delivery?.pointee.number ?? 0
    // A computed key delivers its change with the number of that of its input.
    let beginning = outermostChange?.beginnings.last { $0.number == number }
    return beginning.map(\.pausedHistories) ?? pausedHistories
  }

  /// Whether an observer is no longer called, since it has caused a loop (P18).
  func isSuspended(
    _ observer: ObserverIdentity, in phase: Delivery.Phase = .deliver
  ) -> Bool {
    suspended?.contains(observer, in: phase) ?? false
  }

  private var suspended: SuspendedObservers? { outermostChange?.suspended }
}

extension UnsafeMutablePointer<Delivery>? {
  /// The deliveries of a chain, from the innermost to the outermost.
  var outward: some Sequence<UnsafeMutablePointer<Delivery>> {
    sequence(state: self) { next in
      defer { next = next?.pointee.outer }
      return next
    }
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// Whether it is one of an observed key.
  func isOf(_ observedKey: Unmanaged<ObservedKey>) -> Bool {
    pointee.observedKey.toOpaque() == observedKey.toOpaque()
  }
}
