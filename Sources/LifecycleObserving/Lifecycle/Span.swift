extension Lifecycle {
  /// The part of a lifecycle during which a scoped observation is registered.
  ///
  /// A span includes the moments at both of its ends: it begins before lifecycle observers are notified
  /// of the first one, and ends after they have been notified of the last one.
  public enum Span: Sendable, CaseIterable {
    /// Did load until the end.
    case loaded
    /// Will appear until did disappear.
    case onScreen
    /// Will appear until will disappear, the usual pairing of registrations in view controllers.
    case presented
    /// Did appear until will disappear.
    case visible

    /// Whether an owner in a phase is in the span.
    ///
    /// - Parameter phase: A phase.
    /// - Returns: Whether the phase is one of the span.
    public func contains(_ phase: Phase) -> Bool {
      switch self {
      case .loaded: phase != .created && phase != .ended
      case .onScreen: phase == .appearing || phase == .visible || phase == .disappearing
      case .presented: phase == .appearing || phase == .visible
      case .visible: phase == .visible
      }
    }
  }
}
