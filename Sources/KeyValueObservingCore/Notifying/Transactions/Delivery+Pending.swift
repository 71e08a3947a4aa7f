internal import CKeyValueObserving

// The steps of a delivery that a transaction runs on its own.
extension UnsafeMutablePointer<Delivery> {
  /// Whether computed keys or paths depend on the key.
  var hasDerivedValues: Bool {
    !pointee.snapshot.needs.isDisjoint(with: .ofLinks)
  }

  /// Sends prior notifications to computed keys and paths, and to other observers if `isToObservers`.
  ///
  /// - `counts`: How many of the observers and dependents, the first ones, are left out.
  func sendPriorsInTransaction(
    from old: AnyValueBox?, toObservers isToObservers: Bool,
    leavingOut counts: (observers: Int32, dependents: Int32)
  ) {
    guard beginPriors() else { return }
    let snapshot = pointee.snapshot
    pointee.snapshot.leaveOut(observers: counts.observers, dependents: counts.dependents)
    defer { pointee.snapshot = snapshot }
    run(.fixObservers, for: .ofLinks)
    callAllPriors(isToObservers ? .prior : .ofLinks, from: old)
    endPriors()
  }

  /// Lets computed keys and paths capture their old values.
  ///
  /// - `pair`: The pair of manual notifications that the change completes, if there is one.
  /// - `old`: The old value of the key, if it is known.
  func captureInTransaction(completing pair: ManualPair?, from old: AnyValueBox?) {
    if let pair {
      pointee.pair = .passUnretained(pair)
      // Paths that end with the key have kept nothing in the pair.
      pointee.old = old?.address
    }
    run(.capture, for: .ofLinks)
    (pointee.old, pointee.pair) = (nil, nil)
  }
}
