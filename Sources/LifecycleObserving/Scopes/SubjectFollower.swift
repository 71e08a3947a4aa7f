internal import KeyValueObservingCore

/// Keeps one stay registered with the object that a source has, and with the next one when it is
/// replaced.
///
/// Without an actor, several threads may replace the object at the same time. One of them registers,
/// until it has registered with the object that is there (P39).
final class SubjectFollower<Subject: KeyValueObservable> {
  private let stay: Stay
  private let source: SubjectSource<Subject>
  private let register: (Subject, Stay) -> KeyValueObservation?
  private var following: KeyValueObservation?

  private let lock = Lock()
  // Guarded by `lock`.
  private var isRegistering = false
  private var isOutdated = false
  private var present: Present?

  private struct Present {
    let subject: WeakReference
    let stay: Stay
    var observation: KeyValueObservation?

    func end() {
      stay.end()
      observation?.invalidate()
    }
  }

  init(
    during stay: Stay, _ source: SubjectSource<Subject>,
    register: @escaping (Subject, Stay) -> KeyValueObservation?
  ) {
    self.stay = stay
    self.source = source
    self.register = register
  }

  func begin(for actor: (any Actor)?) {
    following = source.observe(\.subject, options: .initial, for: actor) { [weak self] source, _ in
      self?.follow(source)
    }
  }

  /// Ends what it has registered.
  ///
  /// The stay is over by then, so nothing is registered after this.
  func end() {
    lock.withLock { present.take() }?.end()
    following = nil
  }

  private func follow(_ source: SubjectSource<Subject>) {
    let isBusy = lock.withLock {
      isOutdated = true
      defer { isRegistering = true }
      return isRegistering
    }
    if isBusy { return }
    while lock.withLock({ mustRegister() }) { attach(to: source.subject) }
  }

  /// Whether there may be another object than the one that was found last.
  private func mustRegister() -> Bool {
    isRegistering = isOutdated
    isOutdated = false
    return isRegistering
  }

  private func attach(to subject: Subject?) {
    // A callback of an initial change may have ended it.
    if stay.isOver { return }
    // One that is set once more stays registered.
    if let subject, let present = lock.withLock({ present }), present.subject.target === subject {
      return
    }
    let next = subject.map { Present(subject: WeakReference($0), stay: Stay(partOf: stay)) }
    exchange(with: next)?.end()
    guard let subject, let next, let observation = register(subject, next.stay) else { return }
    // If another thread has ended the stay in between, the observation ends with its token.
    lock.withLock {
      if present?.stay === next.stay { present?.observation = observation }
    }
  }

  /// Returns what is to be ended: the former registration, or the next one if the stay is over.
  private func exchange(with next: Present?) -> Present? {
    lock.withLock {
      if stay.isOver { return next }
      defer { present = next }
      return present
    }
  }
}
