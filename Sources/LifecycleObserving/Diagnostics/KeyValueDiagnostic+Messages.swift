internal import KeyValueObservingCore

// Every sentence of this module. Each names the rule, the place, the value and the remedy.
extension KeyValueDiagnostic {
  static func impossibleMove(from phase: Lifecycle.Phase, to target: Lifecycle.Phase) -> Self {
    Self(
      """
      A lifecycle that is \(phase) was moved to \(target), and stays \(phase): nothing leads back to \
      created, and nothing out of ended. Make a new owner, with a new lifecycle.
      """)
  }

  static func movesDoNotEnd(in phase: Lifecycle.Phase, after count: Int) -> Self {
    Self(
      """
      A lifecycle was moved \(count) times by its own observers without coming to rest, and stays \
      \(phase). Move it in a callback only if it is not yet in the phase that is wanted.
      """)
  }

  static func ownerIsGone(_ owner: Any.Type, phase: Lifecycle.Phase) -> Self {
    Self(
      """
      The lifecycle of \(spelling(of: owner)) is used while it is \(phase), but its owner has been \
      deallocated, so nothing is observed and no observer is notified. Move the lifecycle to ended before \
      the owner goes, or keep the owner.
      """)
  }

  static func observerAfterEnd(_ observer: Any.Type, owner: Any.Type) -> Self {
    Self(
      """
      \(spelling(of: observer)) was not added to \(spelling(of: owner)), whose lifecycle has ended. Add \
      lifecycle observers before the end.
      """)
  }

  static func observationAfterEnd(
    of subject: Any.Type, while span: Lifecycle.Span, owner: Any.Type
  ) -> Self {
    Self(
      """
      \(spelling(of: subject)) is not observed while \(spelling(of: owner)) is \(span.text), because its \
      lifecycle has ended. Observe it before the end.
      """)
  }

  static func impossibleKeyPath(
    _ keyPath: String, of subject: Any.Type, while span: Lifecycle.Span, owner: Any.Type,
    error: KeyValueCodingError
  ) -> Self {
    Self(
      """
      '\(keyPath)' of \(spelling(of: subject)) is not observed while \(spelling(of: owner)) is \
      \(span.text). \(error)
      """)
  }

  static func childAfterEnd(_ child: Any.Type) -> Self {
    Self(
      """
      \(spelling(of: child)) was not added as a child, because its lifecycle or that of its parent has \
      ended. Add children before the end.
      """)
  }

  static func ancestorAsChild(_ child: Any.Type) -> Self {
    Self(
      """
      \(spelling(of: child)) was not added as a child of itself or of one of its own children. Remove it \
      there first.
      """)
  }
}

extension Lifecycle.Span {
  fileprivate var text: String {
    switch self {
    case .loaded: "loaded"
    case .onScreen: "on screen"
    case .presented: "presented"
    case .visible: "visible"
    }
  }
}
