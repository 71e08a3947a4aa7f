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

  let edit: Edit?
  let old: AnyValueBox?
  /// The value from before an edit of elements, where that is nil and no collection.
  var former: AnyValueBox?
  /// Reads the new elements of a collection from the object; nil if the property is set.
  ///
  /// It does not retain the object.
  private let new: ((AnyObject) -> AnyValueBox)?
  /// The task or, outside of tasks, the thread of the first call.
  fileprivate let owner = ThreadState.codeIdentity
  /// The references see to it that no other derived value is taken for one that is gone.
  private var captured: [ObjectIdentifier: (by: WeakReference, change: CapturedChange)] = [:]

  init(edit: Edit?, old: AnyValueBox?, new: ((AnyObject) -> AnyValueBox)?) {
    self.edit = edit
    self.old = old
    self.new = new
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

  /// The elements that the change has added; nil if it only removes.
  func newValue(of property: KeyValueProperty, in subject: AnyObject) -> AnyValueBox? {
    if edit?.kind == .removal { return nil }
    return new.map { $0(subject) } ?? property.box(of: subject)
  }
}

extension ObservedKey {
  /// Takes out the pair that the running task or thread has begun last, or another one if it has begun none.
  func takePair() -> ManualPair? {
    context.lock.withLock { state.takePair(of: ThreadState.codeIdentity) }?.0
  }
}

// MARK: Observers of a pair

extension ObservedKeyState {
  /// Keeps a pair until its second call, unless all observers have ended since the first.
  ///
  /// - `snapshot`: The observers of the first call, which still reads the observer list.
  mutating func open(_ pair: ManualPair, of snapshot: ObserverSnapshot) {
    if !isObserved { return }
    let observers = PairObservers(snapshot)
    let extras = madeExtras()
    var index = extras.manualPairs.endIndex
    // Before pairs that were opened in prior notifications of this one, which began later.
    while index > 0, extras.manualPairs[index - 1].observers.epoch > observers.epoch { index -= 1 }
    extras.manualPairs.insert((pair, observers), at: index)
  }

  /// The epoch of the pair that the running task or thread has begun last, which is of the observers up to that epoch;
  /// nil if it has none open.
  var epochOfOpenPair: UInt32? {
    extras?.manualPairs.last { $0.pair.owner == ThreadState.codeIdentity }?.observers.epoch
  }

  /// Takes out the pair that a task or thread has begun last, or another one if it has begun none.
  func takePair(of owner: UnsafeMutableRawPointer) -> (ManualPair, PairObservers)? {
    guard let extras,
      let index = extras.manualPairs.lastIndex(where: { $0.pair.owner == owner })
        ?? extras.manualPairs.indices.last
    else { return nil }
    return extras.manualPairs.remove(at: index)
  }
}
