/// The observers that a pair notifies: those that its key had when it began (P13).
struct PairObservers {
  fileprivate let epoch: UInt32
  fileprivate let derivedCount: UInt32
}

extension ObservedKeyState {
  /// Fixes the observers of a pair.
  ///
  /// - `snapshot`: The observers of its first call, which still reads the observer list.
  mutating func pairObservers(of snapshot: ObserverSnapshot) -> PairObservers {
    let observers = PairObservers(epoch: pairEpoch, derivedCount: snapshot.derivedCount)
    beginEpoch(after: snapshot)
    return observers
  }

  /// Fixes the observers of a change that a pair has begun: those of the pair that are registered
  /// still.
  ///
  /// `pinDependents(_:)` must follow, as after `pin()`.
  mutating func pin(_ paired: PairObservers) -> ObserverSnapshot {
    var snapshot = pin()
    snapshot.pairEpoch = paired.epoch
    snapshot.derivedCount = paired.derivedCount
    snapshot.closureCount = observers.closureCount(upTo: paired.epoch)
    return snapshot
  }
}
