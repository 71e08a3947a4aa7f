extension UnsafeMutablePointer<Delivery> {
  /// Whether the delivery calls `derived` at this moment, or has yet to, for a change that is
  /// older than `number`.
  func hasYetToReach(_ derived: DerivedValue, before number: UInt64) -> Bool {
    let (snapshot, cursor) = (pointee.snapshot, pointee.cursor)
    return (0..<snapshot.count).contains(cursor)
      && snapshot.contains(derived, from: cursor, to: cursor + 1)
      || snapshot.contains(derived, from: cursor + 1) {
        derived.isToDeliver(pointee.number, at: $0)
      }
      || hasWaiting(derived, before: number)
  }

  /// Whether a change that is older than `number` waits for this delivery and concerns
  /// `derived`.
  func hasWaiting(_ derived: DerivedValue, before number: UInt64) -> Bool {
    pointee.waiting?._withUnsafeGuaranteedRef { $0.concerns(derived, before: number) } ?? false
  }
}
