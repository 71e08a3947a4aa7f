extension UnsafeMutablePointer<Delivery> {
  /// What a derived value has captured for the pair that completes the change.
  func capturedChange(of derived: DerivedValue) -> ManualPair.CapturedChange? {
    pointee.pair?._withUnsafeGuaranteedRef { $0.captured(by: derived) }
  }

  /// Whether the delivery calls `derived` at this moment, or has yet to, for a change that is
  /// older than `number`.
  func hasYetToReach(_ derived: DerivedValue, before number: UInt64) -> Bool {
    pointee.snapshot.contains(derived, from: max(pointee.cursor, 0))
      || hasWaiting(derived, before: number)
  }

  /// Whether a change that is older than `number` waits for this delivery and concerns
  /// `derived`.
  func hasWaiting(_ derived: DerivedValue, before number: UInt64) -> Bool {
    pointee.waiting?._withUnsafeGuaranteedRef { $0.concerns(derived, before: number) } ?? false
  }
}

extension ObserverSnapshot {
  func contains(_ derived: DerivedValue, from first: Int32 = 0) -> Bool {
    (first..<max(first, count)).contains { index in
      entry(at: index)?.pointee.registration?._withUnsafeGuaranteedRef {
        $0.observation === derived && $0.isNotified(by: self)
      } ?? false
    }
  }

  /// The entry at an index among the observers, or after them among the dependents.
  func entry(at index: Int32) -> UnsafeMutablePointer<ObserverEntry>? {
    index < observerCount
      ? observers.map { $0 + Int(index) } : dependents.map { $0 + Int(index - observerCount) }
  }
}
