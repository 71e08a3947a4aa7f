// The changes that are still to be delivered.
extension DerivedValueState {
  /// Inserts a change at its position in the order in which changes begin.
  @inline(__always)
  mutating func insert(_ change: consuming DerivedChange) {
    if unmadeCount > 0 { noteInside(change) }
    if !change.isMade { unmadeCount += 1 }
    changes.insert(change)
  }

  // Out of line, because few changes begin inside of others (row: set an input).
  /// Notes a change that begins while another one is not made.
  @inline(never)
  private mutating func noteInside(_ change: DerivedChange) {
    if nested.isEmpty, let outer = changes.last(where: { !$0.isMade }) { nested.append(outer) }
    if !change.isMade { nested.append(change) }
  }

  /// Notes that a change, which was not made, is, or is not going to be.
  @inline(__always)
  private mutating func endUnmade(_ change: DerivedChange) {
    unmadeCount -= 1
    if !nested.isEmpty { removeNested(change) }
  }

  @inline(never)
  private mutating func removeNested(_ change: DerivedChange) {
    if let index = nested.lastIndex(where: { $0 === change }) { nested.remove(at: index) }
  }

  /// The last change, in their order, that is not made and for which `matches` returns true.
  ///
  /// - Complexity: O(*n*) in the number of those that are not made, however many wait.
  func lastUnmade(where matches: (DerivedChange) -> Bool) -> DerivedChange? {
    unmade.lazy.filter(matches).max { $0.number < $1.number }
  }

  /// Those that are not made.
  var unmade: [DerivedChange] {
    if unmadeCount == 0 { return [] }
    // After the only one nothing has come.
    return nested.isEmpty ? changes.last { !$0.isMade }.map { [$0] } ?? [] : nested
  }

  /// The change that is kept while prior notifications of a change of an input, or of others in the same transaction, are
  /// sent on this thread.
  func prepared(for delivery: UnsafeMutablePointer<Delivery>) -> DerivedChange? {
    preparedIndex(for: delivery).map { prepared[$0] }
  }

  /// Takes out the change that was kept while prior notifications were sent on this thread.
  @inline(__always)
  mutating func takePrepared(for delivery: UnsafeMutablePointer<Delivery>) -> DerivedChange? {
    if prepared.isEmpty { return nil }
    return preparedIndex(for: delivery).map { prepared.remove(at: $0) }
  }

  private func preparedIndex(for delivery: UnsafeMutablePointer<Delivery>) -> Int? {
    prepared.firstIndex {
      $0.thread == ThreadState.identity
        && ($0.priorNumber == delivery.pointee.priorNumber
          || $0.part != nil && $0.number == delivery.pointee.number)
    }
  }

  mutating func remove(_ change: DerivedChange) {
    if let index = changes.index(of: change) { take(at: index) }
  }

  @inline(__always)
  @discardableResult
  private mutating func take(at index: Int) -> DerivedChange {
    let change = changes.remove(at: index)
    if change.stage != .made { noteTaken(change) }
    if changes.isEmpty { hasRenumbered = false }
    return change
  }

  /// Notes that a change was taken out which was not made, or was deferred.
  private mutating func noteTaken(_ change: DerivedChange) {
    if change.isMade { limits?.deferredCounts[change.thread]? -= 1 } else { endUnmade(change) }
  }

  /// The change of an input that is still to be delivered.
  @inline(__always)
  func change(_ number: UInt64) -> DerivedChange? {
    changes.index(of: number).map { changes[$0] }
  }

  /// Gives a change that is not made yet another number, behind all others, and the new value of the one that was
  /// made last, if that is still to be delivered.
  ///
  /// Returns the old value that it had.
  mutating func renumber(_ change: DerivedChange, to number: UInt64) -> AnyValueBox? {
    guard let index = changes.index(of: change) else { return nil }
    changes.remove(at: index)
    change.number = number
    let inner = changes.last { $0.thread == change.thread && $0.isMade && $0.result != nil }
    changes.insert(change)
    hasRenumbered = true
    guard let inner, inner.number >= change.lastChangeInOld, let result = inner.result,
      let former = change.old
    else { return nil }
    (change.old, change.lastChangeInOld) = result
    return former
  }

  /// Notes that the input has changed, on the thread that is to deliver the change.
  ///
  /// It may have begun on another, whose changes must not wait for it from now on.
  @inline(__always)
  mutating func markMade(_ number: UInt64, on thread: Thread) -> DerivedChange? {
    guard let index = changes.index(of: number) else { return nil }
    let change = changes[index]
    if !change.isMade { endUnmade(change) }
    change.thread = thread
    change.stage = .made
    change.awaitsMutation = false
    return change
  }

  // Noncopyable, so that the change is handed on without being retained (row: set an input).
  /// The outcome for a change whose turn has come.
  enum DeliveryTurn: ~Copyable {
    /// Whether it is the last one that is still to be delivered, on any thread.
    case now(DerivedChange, isLast: Bool)
    /// It waits for an older one.
    case later
    /// It has been given up, or is made only when a mutation in place has ended.
    case never
  }

  /// Takes a change whose turn has come, on the thread that delivers it, unless an older one is
  /// still to be delivered there.
  ///
  /// `isEarly` says that one waits elsewhere.
  mutating func takeTurn(of number: UInt64, on thread: Thread, isEarly: Bool) -> DeliveryTurn {
    guard let index = changes.index(of: number),
      !changes.unmanaged(at: index)._withUnsafeGuaranteedRef({ $0.awaitsMutation })
    else { return .never }
    if isEarly || index > 0 && isPreceded(number, on: thread) {
      noteDeferral(of: changes[index], on: thread)
      return .later
    }
    let change = take(at: index)
    return .now(change, isLast: changes.isEmpty)
  }

  /// Gives a change inside of one that is not made yet the old value of that, or the new one of a change that
  /// was made inside before.
  ///
  /// If that is unknown, since no observer requests it, the present value stays the old one.
  ///
  /// Returns the old value that it had, to be released outside the lock.
  func takeOldValue(for change: DerivedChange, on thread: Thread) -> AnyValueBox? {
    guard let former = change.old, let old = oldValueInsideUnmade(for: change, on: thread) else {
      return nil
    }
    (change.old, change.lastChangeInOld) = old
    return former
  }

  /// The old value of a change that begins while the thread has another one under way, and the number of the last change
  /// that shows in it; nil if none is under way, or the value is unknown.
  ///
  /// It is the new value of the last change that was made inside that one, or else the old value of that.
  ///
  /// - `change`: The change that begins, which is left out; nil for a change of a computed key itself.
  func oldValueInsideUnmade(
    for change: DerivedChange? = nil, on thread: Thread
  ) -> (value: AnyValueBox, lastChange: UInt64)? {
    // Mostly it is the only one that is not made, though many may wait.
    let isOnly = change.map { !$0.isMade && changes.index(of: $0) != nil } ?? false
    guard unmadeCount > (isOnly ? 1 : 0),
      let outer = lastUnmade(where: { $0 !== change && isUnmadeFromOld($0, on: thread) })
    else { return nil }
    let inner = changes.last { $0 !== change && $0.thread == thread && $0.isMade }
    if let inner, inner.number >= outer.lastChangeInOld { return inner.result }
    return outer.old.map { ($0, outer.lastChangeInOld) }
  }

  /// Whether a thread has begun a change that is to be delivered to observers of a computed key, has not made it yet, and
  /// no old value was captured.
  func hasUnmadeFromUnknown(on thread: Thread) -> Bool {
    lastUnmade { $0.isUnmade(on: thread) && $0.delivery != nil && $0.old == nil } != nil
  }

  /// Whether changes of a thread that are delivered after the one with a number have old values from before it.
  func hasChanges(around number: UInt64, on thread: Thread) -> Bool {
    // Mostly there are none, though many may wait.
    guard unmadeCount > 0 || hasRenumbered else { return false }
    return lastUnmade { isUnmadeFromOld($0, on: thread) } != nil
      || changeMadeAround(number, on: thread) != nil
  }

  /// The next change that a thread has made behind a number, if its old value is from before that.
  ///
  /// Those behind it start from its new value, or get that when it is delivered in turn.
  private func changeMadeAround(_ number: UInt64, on thread: Thread) -> DerivedChange? {
    let next = changes[changes.firstIndex(behind: number)...].first {
      $0.thread == thread && $0.isMade
    }
    // The block of this one may have ended, while the other one, which was made in it, waited for a running delivery.
    return next.flatMap { $0.old != nil && $0.lastChangeInOld < number ? $0 : nil }
  }

  /// Gives these changes the value after the one with the number as their old one.
  ///
  /// Returns those that they had, to be released outside the lock.
  func passOn(_ value: AnyValueBox, of number: UInt64, on thread: Thread) -> [AnyValueBox] {
    var around = unmade.filter { isUnmadeFromOld($0, on: thread) }
    if let next = changeMadeAround(number, on: thread) { around.append(next) }
    return around.compactMap {
      $0.lastChangeInOld = number
      return exchange(&$0.old, with: value)
    }
  }

  /// Whether a thread has begun a change from an old value, has not made it yet, and goes on to make it.
  private func isUnmadeFromOld(_ change: DerivedChange, on thread: Thread) -> Bool {
    change.isUnmade(on: thread) && change.old != nil
  }

  /// Whether a change that is older than `number` is still to be delivered on a thread.
  func isPreceded(_ number: UInt64, on thread: Thread) -> Bool {
    oldest(on: thread).map { changes[$0].number < number } ?? false
  }

  /// Takes the oldest change of a thread, if its turn has come and `isOldest` says that none that is
  /// older waits elsewhere.
  mutating func takeDeferred(
    on thread: Thread, where isOldest: (UInt64) -> Bool
  ) -> DerivedChange? {
    guard let index = oldest(on: thread), changes[index].stage == .deferred,
      isOldest(changes[index].number)
    else { return nil }
    return take(at: index)
  }

  /// The last change before a number that a thread has made, and has yet to deliver to observers of a computed
  /// key.
  func lastMade(before number: UInt64, on thread: Thread) -> DerivedChange? {
    // Mostly it is empty, because the change that asks was taken out.
    if changes.isEmpty || number == 0 { return nil }
    // Many that have begun later may wait.
    return changes[..<changes.firstIndex(behind: number - 1)].last {
      $0.isMade && $0.thread == thread && $0.delivery != nil
    }
  }

  @inline(__always)
  private func oldest(on thread: Thread) -> Int? {
    changes.firstIndex { $0.thread == thread && $0.isMade }
  }

  /// The value from before a deallocation that has begun a change on a thread; nil if none has.
  func valueBeforeDeallocation(on thread: Thread) -> AnyValueBox?? {
    let deallocation = lastUnmade {
      $0.isUnmade(on: thread) && $0.isWithoutOldValue && $0.part == nil
    }
    return deallocation == nil ? nil : Optional(lastValue(on: thread))
  }

  /// The value that observers have when all changes have been delivered that a thread has made.
  func lastValue(on thread: Thread) -> AnyValueBox? {
    lastMade(on: thread)?.result?.value ?? keptValue
  }

  /// The last change that a thread has made, and has yet to deliver.
  func lastMade(on thread: Thread) -> DerivedChange? {
    changes.last { $0.thread == thread && $0.isMade }
  }

  // MARK: Deferring

  /// The change of an input that waits for an older one.
  func deferredChange(_ number: UInt64) -> DerivedChange? {
    changes.index(of: number) { $0.stage == .deferred }.map { changes[$0] }
  }

  // Out of line, because few changes wait (row: set an input).
  /// Notes that a change waits for an older one on a thread.
  @inline(never)
  mutating func noteDeferral(of change: DerivedChange, on thread: Thread) {
    if !change.isMade { endUnmade(change) }
    change.stage = .deferred
    change.generation = withLimit(on: thread) { $0.countChange() }
    limits?.deferredCounts[thread, default: 0] += 1
  }

  mutating func withLimit<Result>(
    on thread: Thread, _ body: (inout LoopLimit) -> Result
  ) -> Result {
    let limits = self.limits ?? LoopLimits()
    self.limits = limits
    return body(&limits.ofThreads[thread, default: LoopLimit()])
  }

  /// Notes that a thread has delivered what it can of the changes that waited.
  mutating func endDeferral(on thread: Thread) {
    guard let limits, limits.ofThreads[thread]?.generation == 0,
      limits.deferredCounts[thread] ?? 0 == 0
    else { return }
    limits.ofThreads[thread] = nil
    limits.deferredCounts[thread] = nil
    if limits.ofThreads.isEmpty { self.limits = nil }
  }
}

extension DerivedChange {
  /// Whether a thread has begun the change, has not made it yet, and goes on to make it.
  func isUnmade(on thread: DerivedValueState.Thread) -> Bool {
    self.thread == thread && !isMade
  }
}

// An object, because few derived values ever need one (row: register + end).
/// The limits of a derived value's deferred changes, for each thread that has some.
final class LoopLimits {
  var ofThreads: [DerivedValueState.Thread: LoopLimit] = [:]
  /// How many changes wait on each of them for older ones.
  var deferredCounts: [DerivedValueState.Thread: Int] = [:]
}

// Functions of the queue, not of the state around it, which each of them would copy (row: set an input).
extension Queue<DerivedChange> {
  /// Inserts a change at its position in the order in which changes begin.
  @inline(__always)
  mutating func insert(_ change: consuming DerivedChange) {
    // Mostly it is the newest, and inserting retains it once more (row: top link replaced).
    if isEmpty || unmanaged(at: count - 1)._withUnsafeGuaranteedRef({ $0.number }) < change.number {
      append(change)
    } else {
      insert(change, at: firstIndex(behind: change.number))
    }
  }

  /// The index of the last change with a number that does not wait for an older one.
  @inline(__always)
  func index(of number: UInt64) -> Int? {
    // Mostly it is the newest.
    if isEmpty { return nil }
    let last = unmanaged(at: count - 1)
    if last._withUnsafeGuaranteedRef({ $0.number == number && $0.stage != .deferred }) {
      return count - 1
    }
    return index(of: number) { $0.stage != .deferred }
  }

  /// The index of a change.
  func index(of change: DerivedChange) -> Int? { index(of: change.number) { $0 === change } }

  @inline(never)
  fileprivate func index(of number: UInt64, where matches: (DerivedChange) -> Bool) -> Int? {
    var index = firstIndex(behind: number)
    while index > 0, self[index - 1].number == number {
      index -= 1
      if matches(self[index]) { return index }
    }
    return nil
  }

  /// The index after all changes up to a number.
  fileprivate func firstIndex(behind number: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].number <= number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
