/// A transaction in which a key has changed.
struct ChangeMark {
  /// How many transactions are around it, and that one; 0 for a change that is delivered though the outermost
  /// one is rolled back.
  var depth: Int
  /// The edits, the excluded observers and the last step before it.
  var edits: PendingEdits
  let excluded: Set<ObserverIdentity>
  let lastStep: Int
  /// Whether the key only gets back a value from which its observers have not started.
  var isForLateObserversOnly: Bool
}

extension PendingDelivery {
  /// Notes a change in a transaction with a depth.
  ///
  /// - `depth`: How many transactions are around it, and that one; 0 for a change that is delivered in any case.
  /// - `transaction`: The transaction, which says in whose names it is made.
  /// - `isForLateObserversOnly`: Whether the key only gets back a value from which its observers have not
  ///   started.
  ///
  /// Returns whether the key has not changed at that depth before.
  func mark(
    _ depth: Int, in transaction: Transaction,
    forLateObserversOnly isForLateObserversOnly: Bool = false
  ) -> Bool {
    if marks.isEmpty { excludeAtFirst(in: transaction) }
    // Mostly it is the last one.
    var index = marks.endIndex
    while index > 0, marks[index - 1].depth >= depth { index -= 1 }
    if index < marks.endIndex, marks[index].depth == depth {
      if !isForLateObserversOnly { marks[index].isForLateObserversOnly = false }
      return false
    }
    let mark = ChangeMark(
      depth: depth, edits: edits.snapshot, excluded: excluded, lastStep: lastStep,
      isForLateObserversOnly: isForLateObserversOnly)
    // An insertion takes three times as long, also at the end (row: transaction of one set).
    if index == marks.endIndex { marks.append(mark) } else { marks.insert(mark, at: index) }
    return true
  }

  /// Notes the names under which the first change is made, among those that were not taken back.
  private func excludeAtFirst(in transaction: Transaction) {
    if excluded.isEmpty, transaction.excluded.isEmpty { return }
    let names = transaction.excluded
    excluded = isPriorSent ? names.filter { !hasSentPrior(to: $0) } : names
  }

  /// Whether an observer has received a prior notification, which a change has to follow.
  private func hasSentPrior(to observer: ObserverIdentity) -> Bool {
    !observersWithoutPrior.contains(observer) && memory.receivesPriors(observer)
  }

  /// Notes that the key changes in the names of the observers that a transaction excludes.
  func exclude(in transaction: Transaction) {
    if !excluded.isEmpty { excluded.formIntersection(transaction.excluded) }
  }

  /// Makes a change in a transaction that ends one of the transaction around it.
  func merge(into depth: Int) {
    guard let last = marks.indices.last, marks[last].depth > depth else { return }
    if last > 0, marks[last - 1].depth == depth {
      marks.removeLast()
      marks[last - 1].isForLateObserversOnly = false
    } else {
      marks[last].depth = depth
    }
  }

  /// Notes that the key gets back a value from which the observers have not started: a collection has not only
  /// been edited, whatever else is taken back.
  func noteRestored() {
    edits.set()
    for index in marks.indices { marks[index].edits.set() }
  }

  /// Forgets the change in a transaction whose values have been put back.
  func takeBack(from depth: Int) {
    guard let index = marks.firstIndex(where: { $0.depth >= depth }) else { return }
    edits = marks[index].edits
    excluded = marks[index].excluded
    lastStep = marks[index].lastStep
    marks.removeSubrange(index...)
  }

  /// Whether its only change is that the key gets back a value from which its observers have not started.
  var isForLateObserversOnly: Bool { marks.count == 1 && marks[0].isForLateObserversOnly }
}
