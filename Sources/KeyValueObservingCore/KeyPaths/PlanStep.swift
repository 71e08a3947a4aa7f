internal import Synchronization

/// One key of a path whose keys are known.
final class PlanStep: @unchecked Sendable {  // immutable but for an atomic
  let property: KeyValueProperty
  let name: KeyName
  let isConstant: Bool
  let isWeak: Bool
  /// The class that a path finds there, or its superclass.
  private let owner: any KeyValueObservable.Type
  private let own: ClassProperty
  /// The property as another class has it, of which an object was met last; 0 for none.
  ///
  /// Tables are never freed, so neither is this.
  private let other = Atomic<UInt>(0)

  init(_ property: ClassProperty, of owner: any KeyValueObservable.Type) {
    self.property = property.property
    name = property.property.name
    isConstant = property.property.kind == .constant
    isWeak = property.property.kind == .weak
    self.owner = owner
    own = property
  }

  /// The property as the class of an object has it, nil if the path cannot be walked there.
  @inline(__always)
  func classProperty(of object: AnyObject) -> Unmanaged<ClassProperty>? {
    let type = ObjectIdentifier(Swift.type(of: object))
    if own.owner == type, own.isKnownPlain { return .passUnretained(own) }
    return find(owner, object)
  }

  private func find<Owner: KeyValueObservable>(
    _: Owner.Type, _ object: AnyObject
  ) -> Unmanaged<ClassProperty>? {
    let object = unsafeDowncast(object, to: Owner.self)
    let type = Swift.type(of: object)
    if own.owner == ObjectIdentifier(type) {
      return own.isPlain(in: object) ? .passUnretained(own) : nil
    }
    if let last = UnsafeRawPointer(bitPattern: other.load(ordering: .acquiring)) {
      let last = Unmanaged<ClassProperty>.fromOpaque(last)
      if last._withUnsafeGuaranteedRef({ $0.owner == ObjectIdentifier(type) }) { return last }
    }
    guard let found = PropertyTable.of(type).classProperty(named: property.key),
      found.property.valueType == property.valueType, found.property.kind == property.kind,
      found.property.name == property.name, found.isPlain(in: object)
    else { return nil }
    let unmanaged = Unmanaged.passUnretained(found)
    other.store(UInt(bitPattern: unmanaged.toOpaque()), ordering: .releasing)
    return unmanaged
  }

  @inline(__always)
  func object(in object: AnyObject) -> AnyObject? { property.object(in: object) }

  /// The context of an object that was found there.
  func context(of object: AnyObject) -> Unmanaged<ObservationContext> { madeContext(owner, object) }

  private func madeContext<Owner: KeyValueObservable>(
    _: Owner.Type, _ object: AnyObject
  ) -> Unmanaged<ObservationContext> {
    unsafeDowncast(object, to: Owner.self).keyValueRegistrar.madeContext
  }

  /// Makes the deallocation of a weak property's object a change of the property.
  func watch(_ link: Link, of object: AnyObject) {
    func watch<Owner: KeyValueObservable>(_: Owner.Type) {
      guard let observedKey = link.observedKey else { return }
      link.derived.noteWeakInput()
      let object = unsafeDowncast(object, to: Owner.self)
      if let report = property.unobservableTarget(of: property.object(in: object), in: object) {
        link.derived.report(report)
      }
      WeakTargetObservation.watchValue(of: property, in: observedKey, of: object)
    }
    watch(owner)
  }
}
