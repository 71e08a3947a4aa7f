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

  private let verdict = Atomic<Verdict>(.none)

  private enum Verdict: UInt8, AtomicRepresentable {
    case none, isPlain, isNotPlain
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
  var isKnownPlain: Bool { verdict.load(ordering: .relaxed) == .isPlain }

  /// Whether a path may be walked through the property: it is what it says it is, and reading it
  /// reads nothing else that could change.
  ///
  /// A subclass that does not list its properties may have overridden the getter of this one. So
  /// it is read once, to see.
  func isPlain(in object: some KeyValueObservable) -> Bool {
    switch verdict.load(ordering: .relaxed) {
    case .isPlain: return true
    case .isNotPlain: return false
    case .none: break
    }
    let isPlain =
      property.isStoredOrConstant && dependencies == nil
      && object.keyValueProperty(forKey: property.key) === property
      && ReadRecorder.isAllRead(property.kind == .constant ? nil : property.name, of: object) {
        property.read(object)
      }
    verdict.store(isPlain ? .isPlain : .isNotPlain, ordering: .relaxed)
    return isPlain
  }
}
