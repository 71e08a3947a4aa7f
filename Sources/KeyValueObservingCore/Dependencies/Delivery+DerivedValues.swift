extension UnsafeMutablePointer<Delivery> {
  /// The values that a derived value has captured for the pair that completes the change.
  func capturedChange(of derived: DerivedValue) -> ManualPair.CapturedChange? {
    pointee.pair?._withUnsafeGuaranteedRef { $0.captured(by: derived) }
  }

  /// Whether the delivery calls `derived` at this moment, or has yet to, for a change that is
  /// older than `number`.
  func hasYetToReach(_ derived: DerivedValue, before number: UInt64) -> Bool {
    calls(derived)
      || pointee.snapshot.contains(derived, from: pointee.cursor + 1, for: pointee.change)
      || hasWaiting(derived, before: number)
  }

  /// Whether the delivery calls a derived value at this moment.
  private func calls(_ derived: DerivedValue) -> Bool {
    pointee.cursor >= 0 && pointee.cursor < pointee.snapshot.count
      && pointee.snapshot.contains(derived, from: pointee.cursor, to: pointee.cursor + 1)
  }

  /// Whether a change that is older than `number` waits for this delivery and concerns
  /// `derived`.
  func hasWaiting(_ derived: DerivedValue, before number: UInt64) -> Bool {
    pointee.waiting?._withUnsafeGuaranteedRef { $0.concerns(derived, before: number) } ?? false
  }
}

extension ObserverSnapshot {
  /// Whether a derived value is to receive a change.
  ///
  /// - `change`: The number of the change; nil if it is enough that a link is registered. A pair notifies
  ///   of the links that were before it, but a computed key may take no part in it.
  func contains(
    _ derived: Registration, from first: Int32 = 0, to end: Int32? = nil, for change: UInt64? = nil
  ) -> Bool {
    (first..<max(first, end ?? count)).contains { index in
      entry(at: index)?.pointee.registration?._withUnsafeGuaranteedRef { registration in
        registration.observation === derived && registration.isNotified(by: self)
          && (change.map { derived.isToDeliver($0, at: registration) } ?? true)
      } ?? false
    }
  }

  /// The entry at an index among the observers, or after them among the dependents.
  func entry(at index: Int32) -> UnsafeMutablePointer<ObserverEntry>? {
    index < observerCount
      ? observers.map { $0 + Int(index) } : dependents.map { $0 + Int(index - observerCount) }
  }
}
