/// The observers that a pair of manual notifications notifies: those that its key had when it began, and
/// paths that came to lead to the key in its prior notifications (P13).
struct PairObservers {
  let epoch: UInt32
  fileprivate let catchUpCount: UInt32

  /// - `snapshot`: The observers of the first call, after its prior notifications.
  init(_ snapshot: ObserverSnapshot) {
    epoch = snapshot.pairEpoch
    catchUpCount = snapshot.catchUpCount
  }
}

extension ObservedKeyState {
  /// Fixes the observers of a pair that begins now, so that observers that are registered from now on are
  /// distinguished from them.
  ///
  /// `pinDependents(_:)` adds the dependents, as after `pin()`.
  mutating func pinForPair() -> ObserverSnapshot {
    var snapshot = pin()
    snapshot.pairEpoch = beginEpoch()
    return snapshot
  }

  /// Fixes the observers of a change that a pair has begun: those of the pair that are registered
  /// still.
  ///
  /// `pinDependents(_:)` adds the dependents, as after `pin()`.
  mutating func pin(_ paired: PairObservers) -> ObserverSnapshot {
    var snapshot = pin()
    snapshot.pairEpoch = paired.epoch
    snapshot.catchUpCount = paired.catchUpCount
    snapshot.closureCount = observers.closureCount(upTo: paired.epoch)
    return snapshot
  }
}
