internal import KeyValueObservingCore

// Every diagnostic of this module, in the order of its identifiers.
extension KeyValueDiagnostic {
  static func impossibleMove(from phase: Lifecycle.Phase, to target: Lifecycle.Phase) -> Self {
    Self(
      .impossibleMove, type: Lifecycle.self,
      Message(
        "Lifecycle.move(to: .\(target))",
        """
        the lifecycle stays \(phase), because it cannot be moved back to created or out of ended
        """,
        "Create a new owner with a new lifecycle."))
  }

  static func nonConvergentMoves(in phase: Lifecycle.Phase, after count: Int) -> Self {
    Self(
      .nonConvergentMoves, type: Lifecycle.self,
      Message(
        "Lifecycle.move(to:)",
        "observers moved the lifecycle \(count) times, and it stays \(phase)",
        "Guard the move in the callback, such as `if lifecycle.phase != wanted { … }`."))
  }

  static func deallocatedOwner(_ owner: Any.Type, phase: Lifecycle.Phase) -> Self {
    Self(
      .deallocatedOwner, type: owner,
      Message(
        "Lifecycle of \(spelling(of: owner))",
        """
        the owner was deallocated while the lifecycle is \(phase), so nothing is observed and no \
        observer is notified
        """,
        "Move the lifecycle to ended before its owner is deallocated, or retain the owner."))
  }

  static func observerAfterEnd(_ observer: Any.Type, owner: Any.Type) -> Self {
    Self(
      .observerAfterEnd, type: owner,
      Message(
        "\(spelling(of: owner)).addLifecycleObserver(_:)",
        "\(spelling(of: observer)) is not added, because the lifecycle has ended",
        "Add lifecycle observers before the lifecycle ends."))
  }

  static func observationAfterEnd(
    of subject: Any.Type, while span: Lifecycle.Span, owner: Any.Type
  ) -> Self {
    Self(
      .observationAfterEnd, type: subject,
      Message(
        "\(spelling(of: subject)).observe(_:while: .\(span), of:)",
        "the object is not observed, because the lifecycle of \(spelling(of: owner)) has ended",
        "Observe it before the lifecycle ends."))
  }

  static func invalidScopedKeyPath(
    _ keyPath: String, of subject: Any.Type, while span: Lifecycle.Span, owner: Any.Type,
    error: KeyValueCodingError
  ) -> Self {
    let cause = error.message.within("'\(keyPath)'", "\(spelling(of: subject)).\(keyPath)")
    return Self(
      .invalidScopedKeyPath, type: subject, keyPath: keyPath,
      Message(
        "\(spelling(of: subject)).observe(\"\(keyPath)\", while: .\(span), of:)",
        """
        the key path is not observed for \(spelling(of: owner)), because \(cause.finding)
        """,
        cause.remedy))
  }

  static func childAfterEnd(_ child: Any.Type) -> Self {
    Self(
      .childAfterEnd, type: child,
      Message(
        "addChild(_:)",
        """
        \(spelling(of: child)) is not added, because its lifecycle or that of the parent has ended
        """,
        "Add children before their lifecycles end."))
  }

  static func ancestorAsChild(_ child: Any.Type) -> Self {
    Self(
      .ancestorAsChild, type: child,
      Message(
        "addChild(_:)",
        "\(spelling(of: child)) is not added, because it is the parent or one of its ancestors",
        "Remove the parent from its own parent first."))
  }
}
