/// The work to do when an observation has ended, or has missed a change.
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
  var mayOutliveSubject: Bool { false }
  /// Calls a closure when that has been called, unless the observer is let go of there anyway.
  func afterDeletion(_ body: @escaping () -> Void) {}
  /// Whether prior notifications reach the observer on the running thread (P40).
  var isReachedByPriors: Bool { true }
  /// A change was made that began before the observer was registered (P13).
  func changeMissed() {}
}
