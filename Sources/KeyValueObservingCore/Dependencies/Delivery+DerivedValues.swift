extension UnsafeMutablePointer<Delivery> {
  /// Whether the delivery calls `derived` at this moment, or has yet to, for a change that is
  /// older than `number`.
  func hasYetToReach(_ derived: DerivedValue, before number: UInt64) -> Bool {
    calls(derived)
      || pointee.snapshot.contains(derived, from: pointee.cursor + 1) {
        derived.isToDeliver(pointee.number, at: $0)
      }
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
