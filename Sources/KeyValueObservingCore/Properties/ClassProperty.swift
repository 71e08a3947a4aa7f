internal import Synchronization

/// A property as one class has it.
@usableFromInline
final class ClassProperty: @unchecked Sendable {  // immutable but for atomics
  @usableFromInline
  let property: KeyValueProperty
  @usableFromInline
  let owner: AnyClass
  /// The class, if its objects are notified of being observed.
  let source: (any KeyValueSource.Type)?
  /// Whether automatic notification is disabled (P20).
  let isManual: Bool
  /// Whether the class declares dependencies of it.
  let hasDependencies: Bool
  /// Whether an observer that wants nothing but to be called after each change can be an entry that holds
  /// only its closure: assignments notify, nothing else changes the property, and it is not weak.
  @usableFromInline
  let takesClosures: Bool
  /// Whether a path may be walked through the property, once that was found out.
  let walkability = Atomic<Walkability>(.unknown)

  enum Walkability: UInt8, AtomicRepresentable {
    case unknown, walkable, notWalkable
  }

  init(
    _ property: KeyValueProperty, of owner: any KeyValueObservable.Type,
    _ source: (any KeyValueSource.Type)?, isManual: Bool, hasDependencies: Bool
  ) {
    self.property = property
    self.owner = owner
    self.source = source
    self.isManual = isManual
    self.hasDependencies = hasDependencies
    takesClosures = property.kind == .stored && !isManual && !hasDependencies && source == nil
  }

  /// Whether it has been found that a path may be walked through the property.
  @inline(__always)
  var isKnownWalkable: Bool { walkability.load(ordering: .relaxed) == .walkable }
}
