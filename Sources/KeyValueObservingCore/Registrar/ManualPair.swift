/// A `willChangeValue` that waits for its `didChangeValue` (P19).
///
/// It owns the values that were captured before the change, and it is the only thing that remains of
/// the first call: no delivery is kept for it, and no observer retained. So a pair that is never completed
/// does not affect later notifications. The second call makes an ordinary change of the observers that
/// were registered before the pair began, and takes the old values from the pair.
final class ManualPair {
  /// The values that a computed key or a key path that depends on the property has captured.
  struct CapturedChange {
    /// Its old value; nil if none is requested.
    let old: AnyValueBox?
    /// The observers of a computed key when the pair began.
    let observers: PairObservers?
  }

  /// The mutation of a collection's elements that it makes; nil for a change that sets the property.
  let edit: Edit?
  let old: AnyValueBox?
  /// Reads what the change brings, after it is made.
  let new: ChangeDescription.Read?
  /// The observers of the first call.
  let observers: PairObservers
  /// The value from before an edit of elements in a transaction, where that is nil and no collection.
  ///
  /// The collection of before is found by taking the edit back, which does not show that there was none.
  let former: AnyValueBox?
  /// The members that leave a set and those that come, if some make way for equal ones: the change does not contain these,
  /// but a history records them.
  let exchange: MemberExchange?
  /// References to `pausedHistories`: a pair may never be completed.
  private let pausedReferences = ThreadState.current.pausedHistories?.histories
    .map { WeakReference($0) }
  /// The task or, outside of tasks, the thread of the first call.
  fileprivate let owner = ThreadState.codeIdentity
  /// The references see to it that no other derived value is taken for one that is gone.
  private var captured: [ObjectIdentifier: (by: WeakReference, change: CapturedChange)] = [:]

  /// - `old`: The values that the change removes, if an observer requests them. The description has them always (P14).
  /// - `former`: The value of the property from before an edit in a transaction.
  init(
    _ change: ChangeDescription, old: AnyValueBox?, former: AnyValueBox?, exchange: MemberExchange?,
    of observers: PairObservers
  ) {
    edit = change.edit
    self.old = old
    new = change.new
    self.former = former?.isNil == true ? former : nil
    self.exchange = exchange
    self.observers = observers
  }

  /// The histories that leave out the change, since they paused at the first call (P58); nil if there are none.
  var pausedHistories: PausedHistories? {
    pausedReferences.map { PausedHistories($0.compactMap { $0.target as? any PausableHistory }) }
  }

  /// The collection before the edit that the pair makes; nil if that does not fit what it is now.
  ///
  /// - `added`: The elements that have come, if members do not make way for equal ones.
  func former(of present: AnyValueBox, adding added: AnyValueBox?) -> AnyValueBox? {
    edit.flatMap {
      present.takingBack(
        $0, removed: exchange?.removed ?? old, added: exchange?.added ?? added)
    }
  }

  /// Keeps what a derived value has captured.
  func keep(_ change: CapturedChange, of derived: Registration) {
    captured[ObjectIdentifier(derived)] = (WeakReference(derived), change)
  }

  /// The values that a derived value has captured; nil if it was attached to the property since then.
  func captured(by derived: Registration) -> CapturedChange? {
    guard let kept = captured[ObjectIdentifier(derived)], kept.by.isReference(to: derived) else {
      return nil
    }
    return kept.change
  }
}

extension ObservedKey {
  /// Takes out the pair that the running task or thread has begun last, or another one if it has begun none.
  ///
  /// A mutation block is the change, whatever is posted in it.
  func takePairLocked() -> ManualPair? {
    guard let extras = state.extras, !extras.manualPairs.isEmpty, !isInMutationBlock else {
      return nil
    }
    let owner = ThreadState.codeIdentity
    let own = extras.manualPairs.lastIndex { $0.owner == owner }
    return extras.manualPairs.remove(at: own ?? extras.manualPairs.endIndex - 1)
  }

  /// Whether a pair that began with the observers of an epoch has not ended.
  func isOpen(pairOf epoch: UInt32) -> Bool {
    withLock { state.extras?.manualPairs.contains { $0.observers.epoch == epoch } ?? false }
  }
}

// MARK: Observers of a pair

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
  /// Fixes the observers of a change that a pair has begun: those of the pair that are registered
  /// still.
  ///
  /// `pinDependents(_:)` adds the dependents, as after `pin()`.
  mutating func pin(_ paired: PairObservers) -> ObserverSnapshot {
    var snapshot = pin()
    snapshot.pairEpoch = paired.epoch
    snapshot.catchUpCount = paired.catchUpCount
    snapshot.closureCount = observers.end(upTo: paired.epoch, closuresOnly: true)
    return snapshot
  }

  /// Keeps a pair until its second call, unless all observers have ended since the first.
  mutating func open(_ pair: ManualPair) {
    if !isObserved { return }
    let extras = madeExtras()
    var index = extras.manualPairs.endIndex
    // Before pairs that were opened in prior notifications of this one, which began later.
    while index > 0, extras.manualPairs[index - 1].observers.epoch > pair.observers.epoch {
      index -= 1
    }
    extras.manualPairs.insert(pair, at: index)
  }

  /// The epoch of the pair that the running task or thread has begun last, which is of the observers up to that epoch;
  /// nil if it has none open.
  var epochOfOpenPair: UInt32? {
    extras?.manualPairs.last { $0.owner == ThreadState.codeIdentity }?.observers.epoch
  }
}
