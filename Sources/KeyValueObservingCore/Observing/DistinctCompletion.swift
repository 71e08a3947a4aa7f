/// Gives the filter of `distinct` the collection behind a change of which the observer is not notified: the next edit is
/// one of that.
final class DistinctCompletion<Subject: AnyObject, Value>: ObservationCompletion {
  private let filter: DistinctFilter<Value>
  private let subject: WeakReference
  private let read: (Subject) -> Value?
  /// That of the observation without the filter.
  let inner: ObservationCompletion?

  init(
    _ filter: DistinctFilter<Value>, of subject: WeakReference,
    reading read: @escaping (Subject) -> Value?,
    inside inner: ObservationCompletion?
  ) {
    self.filter = filter
    self.subject = subject
    self.read = read
    self.inner = inner
  }

  /// The same with another one inside.
  func with(_ inner: ObservationCompletion) -> DistinctCompletion {
    DistinctCompletion(filter, of: subject, reading: read, inside: inner)
  }

  override func changeMissed() {
    // Reading may meet the property that is being mutated in place (P8).
    guard InPlaceMutation.outermost == nil, let subject = subject.target else { return }
    filter.noteMissed(
      ThreadState.pauseRecording { read(unsafeDowncast(subject, to: Subject.self)) })
  }

  override var notifiesOfDeletion: Bool { inner?.notifiesOfDeletion ?? false }
  override var isReachedByPriors: Bool { inner?.isReachedByPriors ?? true }
  override func ended() { inner?.ended() }
  override func subjectDeallocated() { inner?.subjectDeallocated() }
  override var mayOutliveSubject: Bool { inner?.mayOutliveSubject ?? false }
  override func afterDeletion(_ body: @escaping () -> Void) { inner?.afterDeletion(body) }
}
