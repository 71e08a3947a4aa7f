internal import Synchronization

/// Two values that a transaction makes equal before its changes are delivered.
protocol SynchronizedSides: AnyObject {
  /// Follows key paths of which a transaction has replaced an intermediate object.
  func followObjects(in transaction: Transaction)
  /// The position of the set that is to be written to the other side, among the steps of a transaction; nil if
  /// there is none.
  func rank(dueIn transaction: Transaction) -> Int?
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
      else { return GivenRank(transaction: number, rank: last, step: last, rankOfOthers: last) }
      return given
    }
  }

  /// Gives a key a rank that holds until it is set again.
  ///
  /// - `part`: The part of the value that has the rank; nil for the whole value.
  /// - `former`: The rank from before a write of the part; nil for the present one.
  func setRank(
    _ rank: Int, of observedKey: ObservedKey, part: String? = nil, from former: GivenRank? = nil
  ) {
    var given: GivenRank
    if let part {
      given = former ?? givenRank(of: observedKey)
      given.parts[part] = rank
      given.rank = max(given.rank, rank)
      given.step = makeStep()
    } else {
      given = GivenRank(transaction: number, rank: rank, step: makeStep(), rankOfOthers: rank)
    }
    observedKey.withLock { observedKey.state.madeExtras().givenRank = given }
  }

  /// Writes all bound sides that were set to the other ones, the one that was set last first (P65).
  func synchronizeBindings() {
    var start = 0
    while true {
      let count = bindings.count
      let written = synchronizeBindings(start..<count)
      if written == .oneSet, bindings.count > count {
        // Bindings that the writes have added pass on the same set, so they come first: visiting all of them each
        // time would be quadratic along a chain.
        start = count
      } else if start > 0 || written != .nothing {
        start = 0
      } else {
        return
      }
    }
  }

  /// The sets that bindings have written to their other sides.
  private enum WrittenSets {
    case nothing, oneSet, several
  }

  /// Writes the sides of some bindings that were set.
  ///
  /// The bindings are found by position: what they write adds bindings, which would copy an array that is iterated.
  private func synchronizeBindings(_ range: Range<Int>) -> WrittenSets {
    for index in range { bindings[index].followObjects(in: self) }
    if range.count == 1 {
      return bindings[range.lowerBound].synchronize(in: self) ? .oneSet : .nothing
    }
    let due = bindings[range].compactMap { binding in
      binding.rank(dueIn: self).map { (binding, rank: $0) }
    }.sorted { $0.rank > $1.rank }
    for (binding, _) in due { _ = binding.synchronize(in: self) }
    guard let first = due.first, let last = due.last else { return .nothing }
    return first.rank == last.rank ? .oneSet : .several
  }
}
