internal import CKeyValueObserving

/// The one change that observers of a key receive at the end of a transaction.
final class PendingDelivery {
  let memory: UnsafeMutablePointer<Delivery>
  /// The value that the observers start from, and the one that they receive.
  @exclusivity(unchecked)
  private(set) var old: AnyValueBox?
  @exclusivity(unchecked)
  var new: AnyValueBox?
  /// The changes of a collection.
  @exclusivity(unchecked)
  var edits = PendingEdits()
  /// The edit of the collection that is delivered, if there is one.
  @exclusivity(unchecked)
  private var edit: Edit?
  /// Whether edits of the collection have cancelled out.
  @exclusivity(unchecked)
  private var isVain = false
  /// Its position in the order of the transaction's steps.
  let step: Int
  /// How many transactions were around each in which the key has changed and that one, outermost first;
  /// 0 stands for what is left when the outermost has ended.
  @exclusivity(unchecked)
  private var depths: [Int] = []
  /// For each of these, what was known of the change before it.
  @exclusivity(unchecked)
  private var states: [(edits: PendingEdits, excluded: Set<ObserverIdentity>, lastStep: Int)] = []
  /// Its last change among the steps of the transaction.
  @exclusivity(unchecked)
  var lastStep = 0
  /// Whether prior notifications were sent, each of which is followed by a change (P47).
  @exclusivity(unchecked)
  private var isPriorSent = false
  /// The observers under whose names all changes were made (P57).
  @exclusivity(unchecked)
  private(set) var excluded: Set<ObserverIdentity> = []
  /// The objects from which paths lead to the key (P14).
  @exclusivity(unchecked)
  private var roots: [AnyObject] = []
  /// Whether the delivery waits for another one of the key that is running around the transaction.
  @exclusivity(unchecked)
  private var isHandedOver = false

  init(_ delivery: Delivery, step: Int) {
    self.step = step
    memory = .allocate(capacity: 1)
    memory.initialize(to: delivery)
  }

  deinit { memory.deallocate() }

  // MARK: Before the change

  /// Sends prior notifications, and lets dependents capture their old values.
  ///
  /// - `pair`: The pair of manual notifications that the change completes. It has sent prior notifications.
  /// - `isInPair`: Whether the change is made between the halves of such a pair.
  func prepare(
    number: UInt64, editing isEdit: Bool, without excluded: Set<ObserverIdentity>,
    completing pair: ManualPair? = nil, inPair isInPair: Bool = false,
    old read: () -> AnyValueBox?
  ) {
    memory.pointee.change = number
    self.excluded = excluded
    if isEdit || memory.requires(.old) { old = read() }
    if memory.hasDerivedValues { roots = memory.roots() }
    if memory.requires(.prior) {
      isPriorSent = true
      if !isInPair, pair == nil { withExclusion { memory.sendPriors(from: old) } }
    }
    memory.pointee.pair = pair.map(Unmanaged.passUnretained)
    memory.callLinks(.capture)
    memory.pointee.pair = nil
    // So that comparing the number of the thread's latest change finds this one.
    _ = ThreadState.makeChange()
  }

  // MARK: Transactions

  /// Notes that the key changes under the names of some observers.
  func exclude(_ observers: Set<ObserverIdentity>) {
    if !excluded.isEmpty { excluded.formIntersection(observers) }
  }

  /// Notes a change in the transaction with a depth.
  ///
  /// Returns whether it has not changed in that before.
  func mark(_ depth: Int) -> Bool {
    let index = depths.firstIndex { $0 >= depth } ?? depths.endIndex
    if index < depths.endIndex, depths[index] == depth { return false }
    depths.insert(depth, at: index)
    states.insert((edits, excluded, lastStep), at: index)
    return true
  }

  /// Makes a change in a transaction that ends one of the transaction around it.
  func merge(into depth: Int) {
    guard let last = depths.last, last > depth else { return }
    depths.removeLast()
    let state = states.removeLast()
    if depths.last != depth {
      depths.append(depth)
      states.append(state)
    }
  }

  /// Forgets the change in a transaction whose values have been put back.
  func takeBack(from depth: Int) {
    guard let index = depths.firstIndex(where: { $0 >= depth }) else { return }
    (edits, excluded, lastStep) = states[index]
    depths.removeSubrange(index...)
    states.removeSubrange(index...)
  }

  var isAnnounced: Bool { isPriorSent }

  var isChanged: Bool { !depths.isEmpty }

  var isToDeliver: Bool { !depths.isEmpty && !isVain || isPriorSent }

  /// Whether the new value is requested, or compared with the old one.
  var needsNewValue: Bool { memory.requires(.new) || edits.isOfCollection }

  /// Makes one change of what was done to a collection.
  func composeEdits() {
    switch edits.outcome(from: old, to: new) {
    case .setting: break
    case .nothing: isVain = true
    case .edit(let edit, let old, let new):
      self.edit = edit
      memory.describe(edit)
      self.old = memory.requires(.old) ? old : nil
      self.new = memory.requires(.new) ? new : nil
    }
  }

  // MARK: After the transaction

  /// Lets dependents be evaluated, if the key has changed, or if its change has been taken back after prior
  /// notifications of it.
  func settle(isTakenBack: Bool) {
    guard isToDeliver, (depths.isEmpty || isVain) == isTakenBack else { return }
    if isTakenBack { memory.pointee.snapshot.needs.insert(.takenBack) }
    withExclusion { memory.callLinks(.settle) }
  }

  /// Lets dependents forget what they have captured, if observers are not notified.
  func abandonUnlessToDeliver() {
    if !isToDeliver { memory.callLinks(.abandon) }
  }

  /// Leaves the change to a delivery of the same key that runs around the transaction, if there is one.
  func handOver() {
    guard isToDeliver, let running = memory.runningDelivery else { return }
    isHandedOver = true
    memory.pointee.edit = edit.map(Unmanaged.passUnretained)
    running.enqueue(memory.pointee, old: old, new: new, without: excluded)
    memory.pointee.edit = nil
  }

  /// Whether other changes of the key wait for it.
  var isAwaited: Bool { isToDeliver && !isHandedOver }

  func callObservers(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    if isHandedOver { return }
    memory.pointee.snapshot.needs.insert(.observersOnly)
    withExclusion { withValues { memory.callAll(thread) } }
    memory.pointee.snapshot.needs.remove(.observersOnly)
  }

  /// Delivers what waits for it.
  func deliverWaiting(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    if memory.pointee.waiting == nil { return }
    let (snapshot, number) = (memory.pointee.snapshot, memory.pointee.change)
    memory.enter(thread)
    memory.deliverWaiting()
    memory.leaveUnended(thread)
    memory.pointee.snapshot = snapshot
    memory.pointee.change = number
  }

  /// Notifies computed keys and paths.
  func callDependents(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    guard !isHandedOver, isToDeliver, memory.hasDerivedValues else { return }
    withValues {
      memory.enter(thread)
      memory.callLinks(.deliver)
      memory.leaveUnended(thread)
    }
  }

  private func withExclusion(_ body: () -> Void) {
    ThreadState.current.withExclusion(of: excluded, by: memory, body)
  }

  private func withValues(_ body: () -> Void) {
    withAddress(of: old) { old in
      withAddress(of: new) { new in
        memory.pointee.old = old
        memory.pointee.new = new
        memory.pointee.edit = edit.map(Unmanaged.passUnretained)
        body()
      }
    }
    memory.pointee.old = nil
    memory.pointee.new = nil
    memory.pointee.edit = nil
  }

  func end() {
    if !isHandedOver { memory.endPending() }
    roots = []
  }
}

extension UnsafeMutablePointer<Delivery> {
  /// Whether computed keys or paths depend on the key.
  var hasDerivedValues: Bool {
    !pointee.snapshot.needs.isDisjoint(with: [.phases, .root])
  }

  fileprivate func sendPriors(from old: AnyValueBox?) {
    guard beginPriors() else { return }
    callLinks(.announce)
    withAddress(of: old) { old in
      pointee.old = old
      ThreadState.pauseRecording {
        var next: Int32? = 0
        while let first = next { next = callPriors(from: first) }
      }
      pointee.old = nil
    }
    endPriors()
    releaseRoots()
  }

  /// Runs a phase for the links of computed keys and paths.
  func callLinks(_ phase: Delivery.Phase) {
    guard hasDerivedValues else { return }
    let thread = ThreadState.current
    pointee.phase = phase
    pointee.cursor = 0
    while pointee.cursor < pointee.snapshot.count {
      if let registration = pointee.snapshot.entry(at: pointee.cursor)?.pointee.registration,
        registration._withUnsafeGuaranteedRef({ $0.observation !== $0 })
      {
        call(registration, thread, [])
      }
      pointee.cursor += 1
    }
  }

  /// Calls all observers, as the innermost delivery of the thread.
  fileprivate func callAll(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    enter(thread)
    runAfter(from: 0)
    leaveUnended(thread)
  }

  /// Ends what `enter(_:)` began, but for what waits and for the observers.
  fileprivate func leaveUnended(_ thread: UnsafeMutablePointer<kvo_thread_state>) {
    thread.delivery = pointee.outer
    if thread.pointee.outermost_change != nil { thread.endOutermostChange(outside: pointee.outer) }
  }

  /// The delivery of the same observed key that runs around a transaction, or is about to at the end of one.
  fileprivate var runningDelivery: UnsafeMutablePointer<Delivery>? {
    let observedKey = pointee.observedKey
    return observedKey._withUnsafeGuaranteedRef { key in
      key.context.lock.withLock { key.state.deliveryAfterTransaction }
    }
      ?? ThreadState.current.delivery.first {
        $0.pointee.observedKey.toOpaque() == observedKey.toOpaque()
      }
  }
}
