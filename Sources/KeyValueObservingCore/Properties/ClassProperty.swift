internal import Synchronization

/// A property as one class has it.
final class ClassProperty: @unchecked Sendable {  // immutable but for an atomic
  let property: KeyValueProperty
  /// The class.
  let owner: ObjectIdentifier
  /// The class, if its objects are notified of being observed.
  let source: (any KeyValueSource.Type)?
  /// Whether automatic notification is disabled (P20).
  let isManual: Bool
  /// The declared dependencies.
  let dependencies: Set<String>?

  /// Whether a path may be walked through the property, once that was found out.
  let verdict = Atomic<Verdict>(.none)

  enum Verdict: UInt8, AtomicRepresentable {
    case none, isWalkable, isNotWalkable
  }

  init(
    _ property: KeyValueProperty, of owner: any KeyValueObservable.Type,
    _ source: (any KeyValueSource.Type)?, isManual: Bool, dependencies: Set<String>?
  ) {
    self.property = property
    self.owner = ObjectIdentifier(owner)
    self.source = source
    self.isManual = isManual
    self.dependencies = dependencies
  }

  /// Whether it has been found that a path may be walked through the property.
  @inline(__always)
  var isKnownWalkable: Bool { verdict.load(ordering: .relaxed) == .isWalkable }
}
