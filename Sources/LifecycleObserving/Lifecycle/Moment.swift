extension Lifecycle {
  /// A moment of a lifecycle, of which a ``LifecycleObserver`` is notified.
  public enum Moment: String, Sendable, CaseIterable {
    /// From `created` to `loaded`.
    case didLoad
    /// From `loaded`, or from `disappearing`, to `appearing`.
    case willAppear
    /// From `appearing` to `visible`.
    case didAppear
    /// From `visible`, or from `appearing`, to `disappearing`.
    case willDisappear
    /// From `disappearing` to `loaded`.
    case didDisappear
  }
}

extension Lifecycle.Moment {
  /// The moment between two phases that follow each other.
  ///
  /// Nil for the end.
  init?(from former: Lifecycle.Phase, to phase: Lifecycle.Phase) {
    switch phase {
    case .created, .ended: return nil
    case .loaded: self = former == .created ? .didLoad : .didDisappear
    case .appearing: self = .willAppear
    case .visible: self = .didAppear
    case .disappearing: self = .willDisappear
    }
  }
}
