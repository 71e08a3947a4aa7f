extension Lifecycle {
  /// A phase of a lifecycle.
  ///
  /// There is no phase "disappeared": an owner that has disappeared is `loaded`, and may appear again.
  public enum Phase: Int, Sendable, CaseIterable {
    /// The owner is there, its content is not.
    case created
    /// The content of the owner is there and not on screen.
    case loaded
    /// The owner is about to be on screen.
    case appearing
    /// The owner is on screen.
    case visible
    /// The owner is about to leave the screen.
    case disappearing
    /// The owner is over. Nothing comes after it.
    case ended
  }
}

extension Lifecycle.Phase {
  /// The next phase on the way from `start` to `target`, which is another phase and can be reached.
  ///
  /// An appearance that is under way may be cancelled, and so may a disappearance: then `visible`, or
  /// `loaded`, is left out, because it never was. A way that begins before the appearance leads through
  /// all phases (P80).
  func next(toward target: Self, from start: Self) -> Self {
    switch self {
    case .created: target == .ended ? .ended : .loaded
    case .loaded: target == .ended ? .ended : .appearing
    case .appearing:
      target == .visible || (target == .disappearing && start != .appearing)
        ? .visible : .disappearing
    case .visible: .disappearing
    case .disappearing: target == .appearing || target == .visible ? .appearing : .loaded
    case .ended: .ended
    }
  }
}
