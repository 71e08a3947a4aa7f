internal import Synchronization

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

  override func afterDeletion(_ body: @escaping () -> Void) { InPlaceMutation.notify(body) }

  override var mayOutliveSubject: Bool {
    InPlaceMutation.outermost != nil || Transaction.current != nil
  }

  override var notifiesOfDeletion: Bool { true }
}
