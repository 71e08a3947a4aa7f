internal import Synchronization

/// Which property a key path of a single component is, and what observing it takes.
@usableFromInline
final class CachedProperty: CachedKeyPath {
  let keyPath: Unmanaged<AnyKeyPath>
  let property: KeyValueProperty
  /// Whether an observer that wants nothing but to be called after each change can be an entry that holds
  /// only its closure: assignments notify, nothing else changes the property, and it is not weak.
  let takesClosures: Bool
  /// The `ClosureInvoker` of the property's type, which the registrar makes, retained, or 0 while no closure has
  /// been attached.
  let invokerWord = Atomic<UInt>(0)

  init(_ keyPath: AnyKeyPath, _ property: KeyValueProperty, in table: PropertyTable) {
    self.keyPath = .passRetained(keyPath)
    self.property = property
    takesClosures =
      property.kind == .stored && property.valueType == Swift.type(of: keyPath).valueType
      && !table.isManual(property.name) && table.dependencies(of: property.name) == nil
      && table.source == nil
  }

  deinit {
    keyPath.release()
    UnsafeRawPointer(bitPattern: invokerWord.load(ordering: .relaxed))
      .map(Unmanaged<AnyObject>.fromOpaque)?.release()
  }

  /// The class from which the key path leads.
  var subject: Any.Type {
    keyPath._withUnsafeGuaranteedRef { Swift.type(of: $0).rootType }
  }
}
