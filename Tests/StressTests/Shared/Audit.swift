import Synchronization

/// Counts the sets of one property of one object, and those that its first observer heard of.
///
/// However many threads set it, and whatever comes and goes beside that observer: each set is heard
/// exactly once (P38).
final class Audit: Sendable {
  private let stored = Atomic<Int>(0)
  private let heard = Atomic<Int>(0)

  func noteStored() { stored.wrappingAdd(1, ordering: .relaxed) }

  func noteHeard() { heard.wrappingAdd(1, ordering: .relaxed) }

  var counts: (stored: Int, heard: Int) {
    (stored.load(ordering: .relaxed), heard.load(ordering: .relaxed))
  }
}
