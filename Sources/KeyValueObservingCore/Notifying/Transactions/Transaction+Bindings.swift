internal import Synchronization

/// Two values that a transaction makes equal before its changes are delivered.
protocol SynchronizedSides: AnyObject {
  /// The position of the set that is to be written to the other side, among the steps of a transaction; nil if
  /// there is none.
  func rank(dueIn transaction: Transaction) -> Int?
  /// Writes it.
  func synchronize(in transaction: Transaction)
}

extension Transaction {
  /// How many bindings there are in the process.
  static let bindingCount = Atomic<Int>(0)

  /// The position of the last set of a key among the steps, or the one that a binding has given it.
  func rank(of observedKey: ObservedKey) -> Int {
    let last = changedKey(at: observedKey)?.lastStep ?? 0
    guard let given = givenRanks[ObjectIdentifier(observedKey)], given.step >= last else {
      return last
    }
    return given.rank
  }

  /// Gives a key a rank that holds until it is set again.
  func setRank(_ rank: Int, of observedKey: ObservedKey) {
    givenRanks[ObjectIdentifier(observedKey)] = (rank, stepCount)
  }

  /// Writes all bound sides that were set to the other ones, the one that was set last first (P65).
  func synchronizeBindings() {
    while true {
      let due = bindings.compactMap { binding in
        binding.rank(dueIn: self).map { (binding, rank: $0) }
      }
      if due.isEmpty { return }
      for (binding, _) in due.sorted(by: { $0.rank > $1.rank }) { binding.synchronize(in: self) }
    }
  }
}
