internal import Synchronization

/// Which property a key path of a single component is, and what observing it takes.
@usableFromInline
final class CachedProperty: CachedKeyPath {
  let keyPath: Unmanaged<AnyKeyPath>
  let property: KeyValueProperty
  /// Whether an observer only has to be attached (`PropertyTable.plainProperty(at:of:)`).
  let isPlain: Bool
  /// The `ClosureInvoker` of the property's type, retained, or 0 while no closure has been attached.
  private let invoker = Atomic<UInt>(0)

  init(_ keyPath: AnyKeyPath, _ property: KeyValueProperty, in table: PropertyTable) {
    self.keyPath = .passRetained(keyPath)
    self.property = property
    isPlain =
      property.kind == .stored && property.valueType == Swift.type(of: keyPath).valueType
      && !table.isManual(property.name) && table.dependencies(of: property.name) == nil
      && table.source == nil
  }

  deinit {
    keyPath.release()
    UnsafeRawPointer(bitPattern: invoker.load(ordering: .relaxed))
      .map(Unmanaged<ClosureInvoker>.fromOpaque)?.release()
  }

  /// Calls the closures of the property's observers.
  ///
  /// - `call`: Does so, for the type of the property. The first one is kept.
  @inline(__always)
  func invoker(_ call: @escaping ClosureInvoker.Call) -> Unmanaged<ClosureInvoker> {
    guard let known = UnsafeRawPointer(bitPattern: invoker.load(ordering: .acquiring)) else {
      return makeInvoker(call)
    }
    return .fromOpaque(known)
  }

  @inline(never)
  private func makeInvoker(_ call: @escaping ClosureInvoker.Call) -> Unmanaged<ClosureInvoker> {
    let made = Unmanaged.passRetained(ClosureInvoker(call))
    let (isOurs, known) = invoker.compareExchange(
      expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
    if isOurs { return made }
    made.release()
    return .fromOpaque(UnsafeRawPointer(bitPattern: known)!)
  }

  /// The class from which the key path leads.
  var subject: Any.Type {
    keyPath._withUnsafeGuaranteedRef { Swift.type(of: $0).rootType }
  }
}
