/// What happens when an observation is over.
@usableFromInline
class Aftermath {
  /// The observation was ended.
  func ended() {}
  /// The subject died, which ended it.
  func subjectDied() {}
}

/// Tells an observer with reasons that its source is gone (P33).
@usableFromInline
final class SourceDeletion: Aftermath {
  private let tell: () -> Void

  @usableFromInline
  init(_ tell: @escaping () -> Void) {
    self.tell = tell
  }

  override func subjectDied() { tell() }
}
