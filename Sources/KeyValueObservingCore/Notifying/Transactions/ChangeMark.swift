/// A transaction in which a key has changed.
struct ChangeMark {
  /// The depth of the transaction, 1 for the outermost; 0 for a change that is delivered whatever is rolled back.
  var depth: Int32
  /// Whether it is a change for late observers only (`Delivery.Traits.lateObserversOnly`).
  var isForLateObserversOnly: Bool
  /// The state before it; nil if nothing was noted yet, as mostly.
  var former: Former?

  /// The state of a key before it has changed in a transaction.
  final class Former {
    /// The edits, the excluded observers and the last step.
    let edits: PendingEdits
    let excluded: Set<ObserverIdentity>
    let lastStep: Int

    init(_ edits: PendingEdits, _ excluded: Set<ObserverIdentity>, _ lastStep: Int) {
      (self.edits, self.excluded, self.lastStep) = (edits, excluded, lastStep)
    }
  }
}

// The outermost is kept in place: mostly there is no other one, and no array is changed then
// (row: transaction of one set).
/// The transactions in which a key has changed, the outermost first.
struct ChangeMarks {
  private var first: ChangeMark?
  private var others: [ChangeMark] = []

  var isEmpty: Bool {
    @inline(__always) get { first == nil }
  }
  var count: Int { first == nil ? 0 : others.count + 1 }

  subscript(index: Int) -> ChangeMark {
    get { index == 0 ? first.unsafelyUnwrapped : others[index - 1] }
    set { if index == 0 { first = newValue } else { others[index - 1] = newValue } }
  }

  mutating func insert(_ mark: ChangeMark, at index: Int) {
    guard index == 0 else { return others.insert(mark, at: index - 1) }
    if let first { others.insert(first, at: 0) }
    first = mark
  }

  /// Removes those from an index on.
  mutating func remove(from index: Int) {
    if !others.isEmpty { others.removeSubrange(max(index - 1, 0)...) }
    if index == 0 { first = nil }
  }
}

extension PendingChange {
  /// Notes a change in a transaction with a depth.
  ///
  /// - `depth`: The depth, 0 for a change that is delivered whatever is rolled back.
  /// - `transaction`: The transaction, which says in whose names it is made.
  /// - `isForLateObserversOnly`: Whether it is a change for late observers only.
  func mark(
    _ depth: Int, in transaction: Transaction,
    forLateObserversOnly isForLateObserversOnly: Bool = false
  ) {
    if marks.isEmpty {
      excludeAtFirst(in: transaction)
      notePausedHistories(in: transaction)
      if wasTakenBack { notifyOfFirstChange() }
    }
    let depth = Int32(depth)
    // Mostly it is the last one.
    var index = marks.count
    while index > 0, marks[index - 1].depth >= depth { index -= 1 }
    if index < marks.count, marks[index].depth == depth {
      if !isForLateObserversOnly { marks[index].isForLateObserversOnly = false }
      return
    }
    if index > 0, !isForLateObserversOnly, self.isForLateObserversOnly {
      notePausedHistories(in: transaction)
      notifyOfFirstChange()
    }
    let mark = ChangeMark(
      depth: depth, isForLateObserversOnly: isForLateObserversOnly, former: makeFormer())
    marks.insert(mark, at: index)
    // Those of the outermost transaction are found among all.
    if depth > 1 { transaction.append(markedInside: self) }
  }

  /// Notes the histories that leave out the first change, among those that were not taken back.
  private func notePausedHistories(in transaction: Transaction) {
    let histories = ThreadState.current.pausedHistories
    if histories == nil, pausedHistories == nil { return }
    pausedHistories = histories
    transaction.hasPausedHistories = true
  }

  /// The present state; nil if nothing is noted yet.
  @inline(__always)
  private func makeFormer() -> ChangeMark.Former? {
    lastStep == 0 && edits.isEmpty && excluded.isEmpty ? nil : keepFormer()
  }

  @inline(never)
  private func keepFormer() -> ChangeMark.Former {
    ChangeMark.Former(edits.snapshot, excluded, lastStep)
  }

  /// Lets observers that have received a prior notification know that the key changes after all changes before were
  /// taken back.
  private func notifyOfFirstChange() {
    delivery.pointee.snapshot.forEachNotified { $0.changeIsMade(delivery) }
  }

  /// Lets observers that have not started from the value which the key has got back know that it has.
  func notifyOfRestoredValue() {
    delivery.pointee.snapshot.forEachNotified { $0.valueWasRestored(delivery) }
  }

  /// Lets observers know of the members of a set that have made way for equal ones.
  func notifyOfExchangedMembers() {
    guard isChanged, let new, let exchange = edits.exchange(to: new, from: old) else { return }
    delivery.pointee.snapshot.forEachNotified { $0.membersWereExchanged(delivery, exchange) }
  }

  /// Notes the names under which the first change is made, among those that were not taken back.
  private func excludeAtFirst(in transaction: Transaction) {
    if excluded.isEmpty, transaction.excluded.isEmpty { return }
    let names = transaction.excluded
    excluded = isPriorSent ? names.filter { !hasSentPrior(to: $0) } : names
  }

  /// Whether an observer has received a prior notification, which a change has to follow.
  private func hasSentPrior(to observer: ObserverIdentity) -> Bool {
    !observersWithoutPrior.contains(observer) && delivery.receivesPriors(observer)
  }

  /// Notes that the key changes in the names of the observers that a transaction excludes.
  @inline(__always)
  func exclude(in transaction: Transaction) {
    if !excluded.isEmpty { excluded.formIntersection(transaction.excluded) }
  }

  /// Makes a change in a transaction that ends one of the transaction around it.
  func merge(into depth: Int) {
    let depth = Int32(depth)
    let last = marks.count - 1
    guard last >= 0, marks[last].depth > depth else { return }
    if last > 0, marks[last - 1].depth == depth {
      marks.remove(from: last)
    } else {
      marks[last].depth = depth
    }
  }

  /// Notes that the key gets back a value from which the observers have not started: a collection has not only
  /// been edited, whatever else is taken back.
  func noteRestored() {
    edits.set()
    for index in 0..<marks.count {
      let former = marks[index].former
      var edits = former?.edits ?? PendingEdits()
      edits.set()
      marks[index].former = ChangeMark.Former(
        edits, former?.excluded ?? [], former?.lastStep ?? 0)
    }
  }

  /// Forgets the change in a transaction whose values have been put back.
  func takeBack(from depth: Int) {
    guard let index = (0..<marks.count).first(where: { marks[$0].depth >= depth }) else { return }
    let former = marks[index].former
    edits = former?.edits ?? PendingEdits()
    excluded = former?.excluded ?? []
    lastStep = former?.lastStep ?? 0
    marks.remove(from: index)
    if index == 0 { wasTakenBack = isPriorSent }
  }

  /// Makes the change in a transaction whose value could not be put back one of a transaction around it.
  ///
  /// - `outer`: The depth of that, which may put the value back; 0 if none may.
  func keep(from depth: Int, in outer: Int) {
    guard !marks.isEmpty, marks[marks.count - 1].depth >= depth,
      let index = (0..<marks.count).first(where: { marks[$0].depth >= outer })
    else { return }
    marks.remove(from: index + 1)
    marks[index].depth = Int32(outer)
    marks[index].isForLateObserversOnly = false
  }

  /// Whether its only change is one for late observers only.
  var isForLateObserversOnly: Bool { marks.count == 1 && marks[0].isForLateObserversOnly }
}
