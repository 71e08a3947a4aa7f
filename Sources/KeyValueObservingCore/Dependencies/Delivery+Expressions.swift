extension UnsafeMutablePointer<Delivery> {
  /// Whether the delivery calls `expression` at this moment, or has yet to, for a change that is
  /// older than `number`.
  func hasYetToReach(_ expression: Expression, before number: UInt64) -> Bool {
    pointee.round.contains(expression, from: max(pointee.cursor, 0))
      || hasWaiting(expression, before: number)
  }

  /// Whether a change that is older than `number` waits for this delivery and concerns
  /// `expression`.
  func hasWaiting(_ expression: Expression, before number: UInt64) -> Bool {
    pointee.waiting?._withUnsafeGuaranteedRef { $0.concerns(expression, before: number) } ?? false
  }
}

extension Round {
  func contains(_ expression: Expression, from first: Int32 = 0) -> Bool {
    (first..<max(first, count)).contains { place in
      entry(at: place)?.pointee.attachment?._withUnsafeGuaranteedRef {
        $0.observation === expression && $0.isAudience(of: self)
      } ?? false
    }
  }

  /// The entry at an index among the observers, or after them among the dependents.
  func entry(at place: Int32) -> UnsafeMutablePointer<Entry>? {
    place < observerCount
      ? observers.map { $0 + Int(place) } : dependents.map { $0 + Int(place - observerCount) }
  }
}
