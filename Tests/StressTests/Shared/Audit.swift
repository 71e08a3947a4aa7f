import Synchronization

/// Counts the sets of one property of one object, and the notifications of its first observer.
///
/// However many threads set it, and whatever other observers are added and removed: each set is
/// delivered exactly once (P38).
final class Audit: Sendable {
  private let stored = Atomic<Int>(0)
  private let received = Atomic<Int>(0)

  func noteStored() { stored.wrappingAdd(1, ordering: .relaxed) }

  func noteReceived() { received.wrappingAdd(1, ordering: .relaxed) }

  var counts: (stored: Int, received: Int) {
    (stored.load(ordering: .relaxed), received.load(ordering: .relaxed))
  }
}
