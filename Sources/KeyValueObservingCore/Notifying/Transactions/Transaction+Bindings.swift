internal import Synchronization

/// Two values that a transaction makes equal before its changes are delivered.
protocol SynchronizedSides: AnyObject {
  /// Follows key paths of which a transaction has replaced an intermediate object.
  func followObjects(in transaction: Transaction)
  /// The position of the set that is to be written to the other side, among the steps of a transaction; nil if
  /// there is none.
  func rankOfDueWrite(in transaction: Transaction) -> Int?
  /// Writes it.
  ///
  /// Returns false if there is none.
  func synchronize(in transaction: Transaction) -> Bool
}

extension Transaction {
  /// How many bindings there are in the process.
  static let bindingCount = Atomic<Int>(0)

  /// The rank of a key: the position of its last set among the steps, or the one that bindings have given it and
  /// parts of its value.
  func givenRank(of observedKey: ObservedKey) -> GivenRank {
    let number = number
    return observedKey.withLock {
      let last = observedKey.state.lastStep(in: self)
      guard let given = observedKey.state.extras?.givenRank, given.transaction == number,
        given.step >= last
      else {
        return GivenRank(
          transaction: number, rank: last, step: last, rankOfOthers: last, stepOfChange: last)
      }
      return given
    }
  }

  /// Gives a key a rank that holds until it is set again.
  ///
  /// - `lowestRank`: The rank of parts of the value that have a lower one; nil if none has.
  /// - `part`: The part of the value that has the rank; nil for the whole value.
  /// - `former`: The rank from before a write of the part; nil for the present one.
  /// - `isAgreement`: Whether the value is not written.
  func setRank(
    _ rank: Int, lowestRank: Int? = nil, of observedKey: ObservedKey, part: String? = nil,
    from former: GivenRank? = nil, isAgreement: Bool = false
  ) {
    let step = makeStep()
    let stepOfChange = isAgreement ? givenRank(of: observedKey).stepOfChange : step
    var given: GivenRank
    if let part {
      given = former ?? givenRank(of: observedKey)
      given.parts = given.parts ?? [:]
      given.parts?[part] = rank
      given.rank = max(given.rank, rank)
      given.step = step
    } else {
      given = GivenRank(
        transaction: number, rank: rank, step: step, rankOfOthers: lowestRank ?? rank,
        stepOfChange: step)
    }
    given.stepOfChange = stepOfChange
    observedKey.withLock { observedKey.state.madeExtras().givenRank = given }
  }

  /// Runs `body`, which writes a side, in the names in which the other one was changed (P57), left out by the histories
  /// that leave out that change (P58).
  ///
  /// - `histories`: The histories that leave it out.
  func write<Failure>(
    inNamesOf observers: Set<ObserverIdentity>, leftOutBy histories: PausedHistories?,
    _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    try ThreadState.current.pausingOnly(histories) { () throws(Failure) in
      try write(inNamesOf: observers, body)
    }
  }

  private func write<Failure>(
    inNamesOf observers: Set<ObserverIdentity>, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    if observers.isSubset(of: excluded) { return try body() }
    beginLevel(rollsBack: rollsBack, excluding: observers)
    defer { merge() }
    try body()
  }

  /// Writes all bound sides that have changed to the other ones, those that were set first before others: each set is
  /// passed on as it would be without a transaction, and the last one has the last word (P65).
  func synchronizeBindings() {
    var isOver = false
    while !isOver {
      isOver = true
      synchronize(bindingsIn: 0..<bindings.count) { binding in
        hasChangedBoundSides = false
        var first = bindings.count
        if !binding.synchronize(in: self) { return true }
        isOver = false
        // Bindings that the writes have added pass on the same set, so they come first. To visit all others each time
        // would be quadratic along a chain.
        while first < bindings.count {
          let added = first..<bindings.count
          first = bindings.count
          synchronize(bindingsIn: added) {
            _ = $0.synchronize(in: self)
            return true
          }
        }
        // Another one may have an earlier set to write than the next one.
        return !hasChangedBoundSides
      }
    }
  }

  /// Calls `body` with the bindings at some positions of which a side may be due, in the order of the sets that they
  /// write, until it returns false.
  ///
  /// They are found by position: what they write adds bindings, which would copy an array that is iterated.
  private func synchronize(
    bindingsIn range: Range<Int>, _ body: (any SynchronizedSides) -> Bool
  ) {
    for index in range { bindings[index].followObjects(in: self) }
    // Mostly it is one, for which no array is made (row: set of a bound property).
    if range.count == 1 { return _ = body(bindings[range.lowerBound]) }
    let due = bindings[range].compactMap { binding in
      binding.rankOfDueWrite(in: self).map { (binding, rank: $0) }
    }.sorted { $0.rank < $1.rank }
    for (binding, _) in due where !body(binding) { return }
  }
}
