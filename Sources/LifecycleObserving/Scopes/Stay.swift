internal import Synchronization

/// One stay of an owner in a span.
///
/// A deferred delivery asks whether the stay is over, on any thread that changes an observed
/// object.
final class Stay: Sendable {
  private let hasEnded = Atomic(false)

  var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  func end() { hasEnded.store(true, ordering: .releasing) }
}
