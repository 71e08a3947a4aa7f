// The changes that are still to be delivered.
extension ExpressionState {
  /// Takes a change to its place in the order in which changes begin.
  mutating func insert(_ change: consuming ExpressionChange) {
    let number = change.number
    let place = changes.lastIndex { $0.number <= number }.map { $0 + 1 } ?? 0
    // Mostly it is the newest, and inserting retains it once more (row: top link replaced).
    if place == changes.count { changes.append(change) } else { changes.insert(change, at: place) }
  }

  /// Gives a change that is prepared again its new place.
  mutating func renumber(_ former: UInt64, _ number: UInt64) -> ExpressionChange? {
    guard let change = change(former) else { return nil }
    remove(change)
    change.number = number
    insert(change)
    return change
  }

  mutating func remove(_ change: ExpressionChange) {
    if let place = changes.lastIndex(where: { $0 === change }) { changes.remove(at: place) }
  }

  /// The change of an input that is still to be delivered, unless it is held.
  func change(_ number: UInt64) -> ExpressionChange? { place(of: number).map { changes[$0] } }

  private func place(of number: UInt64) -> Int? {
    changes.lastIndex { $0.number == number && !$0.isDue && !$0.isHeld }
  }

  /// Notes that the input has changed, on the thread that is to deliver the change. It may have begun
  /// on another, whose changes must not wait for it from now on.
  func made(_ number: UInt64, on thread: Thread) -> ExpressionChange? {
    guard let place = place(of: number) else { return nil }
    changes[place].thread = thread
    changes[place].isMade = true
    return changes[place]
  }

  /// Goes on with a change that was held. Returns nil if there is none, because the expression has
  /// ended meanwhile.
  func resume(_ number: UInt64, of subject: AnyObject) -> ExpressionChange? {
    let change = changes.last { $0.number == number && $0.isHeld }
    change?.resume(of: subject)
    return change
  }

  /// Takes out the changes that are held.
  mutating func takeHeld() -> [ExpressionChange] { take(where: \.isHeld) }

  /// Takes out those that a key holds to which a link was attached, unless another one still is.
  mutating func takeHeld(at link: Link) -> [ExpressionChange] {
    // Few changes are held, and there may be many links.
    let slot = link.lastSlotIdentity
    guard changes.contains(where: { $0.holder == slot }), !hasLink(toKeyOf: link) else {
      return []
    }
    return take { $0.holder == slot }
  }

  /// Whether another link than this one is attached to the same key.
  func hasLink(toKeyOf link: Link) -> Bool {
    links.contains { $0 !== link && $0.lastSlotIdentity == link.lastSlotIdentity }
  }

  private mutating func take(where isTaken: (ExpressionChange) -> Bool) -> [ExpressionChange] {
    let taken = changes.filter(isTaken)
    if !taken.isEmpty { changes.removeAll(where: isTaken) }
    return taken
  }

  /// What becomes of a change whose turn has come.
  enum DeliveryTurn {
    case now(ExpressionChange)
    /// The same, while others are still to be delivered.
    case nowAmongOthers(ExpressionChange)
    /// It waits for an older one.
    case later
    /// It has been given up.
    case never
  }

  /// Takes a change whose turn has come, on the thread that delivers it, unless an older one is still to
  /// be delivered there. `isEarly` says that one waits elsewhere.
  mutating func takeTurn(of number: UInt64, on thread: Thread, isEarly: Bool) -> DeliveryTurn {
    guard let place = place(of: number) else { return .never }
    if isEarly || isPreceded(number, on: thread) {
      changes[place].isDue = true
      return .later
    }
    let change = changes.remove(at: place)
    return changes.isEmpty ? .now(change) : .nowAmongOthers(change)
  }

  /// Gives a change the old value of the one around it. Returns the one that it had, to be released
  /// outside the lock.
  func takeOldValue(for change: ExpressionChange, on thread: Thread) -> AnyValueBox? {
    guard let former = change.old,
      let outer = changes.last(where: { $0 !== change && isUnmadeFromOld($0, on: thread) })
    else { return nil }
    change.old = outer.old
    return former
  }

  func hasUnmadeOldValue(on thread: Thread) -> Bool {
    changes.contains { isUnmadeFromOld($0, on: thread) }
  }

  /// Gives the changes that a thread has begun and not made yet another old value. Returns those that
  /// they had, to be released outside the lock.
  func passOn(_ value: AnyValueBox, on thread: Thread) -> [AnyValueBox] {
    changes.filter { isUnmadeFromOld($0, on: thread) }
      .compactMap { exchange(&$0.old, with: value) }
  }

  /// Whether a thread has begun a change from an old value, has not made it yet, and goes on to make it.
  private func isUnmadeFromOld(_ change: ExpressionChange, on thread: Thread) -> Bool {
    change.thread == thread && !change.isMade && !change.isHeld && change.old != nil
  }

  /// Whether a change that is older than `number` is still to be delivered on a thread.
  func isPreceded(_ number: UInt64, on thread: Thread) -> Bool {
    oldest(on: thread).map { changes[$0].number < number } ?? false
  }

  /// Takes the oldest change of a thread, if its turn has come and `isOldest` says that none that is
  /// older waits elsewhere.
  mutating func takeDue(
    on thread: Thread, where isOldest: (UInt64) -> Bool
  ) -> ExpressionChange? {
    guard let place = oldest(on: thread), changes[place].isDue, isOldest(changes[place].number)
    else { return nil }
    return changes.remove(at: place)
  }

  private func oldest(on thread: Thread) -> Int? {
    changes.firstIndex { $0.thread == thread && $0.isMade }
  }
}
