internal import Synchronization

// The property and the object that a step finds in an object.
extension PlanStep {
  /// The property as the class of an object has it, if a path may be walked through it; nil for all others.
  @inline(__always)
  func walkableProperty(of object: AnyObject) -> Unmanaged<ClassProperty>? {
    guard let listedProperty, let owner else { return nil }
    let type = ObjectIdentifier(Swift.type(of: object))
    let isWalkable = listedProperty._withUnsafeGuaranteedRef {
      ObjectIdentifier($0.owner) == type && $0.isKnownWalkable
    }
    return isWalkable ? listedProperty : find(listedProperty.takeUnretainedValue(), owner, object)
  }

  private func find<Owner: KeyValueObservable>(
    _ listed: ClassProperty, _: Owner.Type, _ object: AnyObject
  ) -> Unmanaged<ClassProperty>? {
    if !isTyped, !(object is Owner) { return nil }
    let object = unsafeDowncast(object, to: Owner.self)
    let type = Swift.type(of: object)
    if listed.owner == type {
      return listed.isWalkable(in: object) ? .passUnretained(listed) : nil
    }
    if let last = UnsafeRawPointer(bitPattern: other.load(ordering: .acquiring)) {
      let last = Unmanaged<ClassProperty>.fromOpaque(last)
      if last._withUnsafeGuaranteedRef({ $0.owner == type }) { return last }
    }
    guard let found = PropertyTable.of(type).classProperty(named: key),
      found.property.valueType == listed.property.valueType,
      found.property.kind == listed.property.kind, found.property.name == listed.property.name,
      found.isWalkable(in: object)
    else { return nil }
    let unmanaged = Unmanaged.passUnretained(found)
    other.store(UInt(bitPattern: unmanaged.toOpaque()), ordering: .releasing)
    return unmanaged
  }

  /// An object that the path has found there.
  func observable(_ object: AnyObject) -> (any KeyValueObservable)? {
    func cast<Owner: KeyValueObservable>(_: Owner.Type) -> any KeyValueObservable {
      unsafeDowncast(object, to: Owner.self)
    }
    return isTyped ? owner.map { cast($0) } : observableObject(object)
  }

  /// The context of an object that has a walkable property.
  func context(of object: AnyObject) -> Unmanaged<ObservationContext> {
    func context<Owner: KeyValueObservable>(_: Owner.Type) -> Unmanaged<ObservationContext> {
      unsafeDowncast(object, to: Owner.self).keyValueRegistrar.madeContext
    }
    return context(owner.unsafelyUnwrapped)
  }
}
