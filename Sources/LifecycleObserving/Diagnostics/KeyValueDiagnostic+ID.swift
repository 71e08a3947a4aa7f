public import KeyValueObservingCore

extension KeyValueDiagnostic.ID {
  /// A lifecycle was moved to a phase that cannot follow its current one.
  public static let impossibleMove = Self(rawValue: "impossibleMove")

  /// The observers of a lifecycle keep moving it, and it stays in its current phase.
  public static let nonConvergentMoves = Self(rawValue: "nonConvergentMoves")

  /// A lifecycle is used after its owner was deallocated.
  public static let deallocatedOwner = Self(rawValue: "deallocatedOwner")

  /// A lifecycle observer was added after the end of the lifecycle.
  public static let observerAfterEnd = Self(rawValue: "observerAfterEnd")

  /// An observation was added after the end of the lifecycle to which it belongs.
  public static let observationAfterEnd = Self(rawValue: "observationAfterEnd")

  /// The string key path of an observation that belongs to a lifecycle cannot be observed.
  public static let invalidScopedKeyPath = Self(rawValue: "invalidScopedKeyPath")

  /// A child was added after its lifecycle or that of its parent had ended.
  public static let childAfterEnd = Self(rawValue: "childAfterEnd")

  /// An owner was added as a child of itself or of one of its own children.
  public static let ancestorAsChild = Self(rawValue: "ancestorAsChild")
}
