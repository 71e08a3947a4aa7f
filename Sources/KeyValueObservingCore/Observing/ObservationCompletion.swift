internal import Synchronization

/// The work to do when an observation has ended.
@usableFromInline
class ObservationCompletion {
  /// Whether the observer is notified of the end of the object.
  var notifiesOfDeletion: Bool { false }
  /// The observation was invalidated.
  func ended() {}
  /// The observed object was deinitialized, which has ended it.
  func subjectDeallocated() {}
  /// Whether what `subjectDeallocated()` has to call may be called after it has returned, so that the
  /// observation can still be ended (P31).
  var mayBeLate: Bool { false }
}

/// Notifies an observer with reasons that its source was deinitialized (P33).
@usableFromInline
final class SourceDeletion: ObservationCompletion {
  private let notify: () -> Void
  private let hasEnded = Atomic<Bool>(false)

  @usableFromInline
  init(_ notify: @escaping () -> Void) {
    self.notify = notify
  }

  override func ended() { hasEnded.store(true, ordering: .releasing) }

  override func subjectDeallocated() {
    InPlaceMutation.notify { [self] in
      if !hasEnded.load(ordering: .acquiring) { notify() }
    }
  }

  override var mayBeLate: Bool { InPlaceMutation.outermost != nil }

  override var notifiesOfDeletion: Bool { true }
}
