internal import Synchronization

/// One stay of an owner in a span, or the part of one in which one object is observed.
///
/// A deferred delivery asks whether the stay is over, on any thread that changes an observed
/// object.
final class Stay: Sendable {
  private let hasEnded = Atomic(false)
  /// The stay of which this is a part.
  private let whole: Stay?

  init(partOf whole: Stay? = nil) {
    self.whole = whole
  }

  var isOver: Bool { hasEnded.load(ordering: .acquiring) || whole?.isOver ?? false }

  func end() { hasEnded.store(true, ordering: .releasing) }
}
