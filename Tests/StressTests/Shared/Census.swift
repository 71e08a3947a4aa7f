import Synchronization
import TestSupport

/// Counts what lives, of each kind.
///
/// Zero is what has to remain.
final class Census: Sendable {
  enum Kind: Int, CaseIterable { case node, closure, watch, consumer }

  private let counts = Guarded([Int](repeating: 0, count: Kind.allCases.count))

  /// An object to keep for as long as something lives.
  func birth(of kind: Kind) -> Life {
    count(kind, by: 1)
    return Life(kind, in: self)
  }

  func living(_ kind: Kind) -> Int { counts.value[kind.rawValue] }

  fileprivate func count(_ kind: Kind, by step: Int) {
    counts.withLock { $0[kind.rawValue] += step }
  }
}

/// Is counted while it lives.
final class Life: Sendable {
  private let kind: Census.Kind
  private let census: Census

  fileprivate init(_ kind: Census.Kind, in census: Census) {
    self.kind = kind
    self.census = census
  }

  deinit { census.count(kind, by: -1) }
}
