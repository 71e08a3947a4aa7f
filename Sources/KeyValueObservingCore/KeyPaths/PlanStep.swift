internal import Synchronization

/// One key of a path.
final class PlanStep: @unchecked Sendable {  // immutable but for an atomic
  let key: String
  /// The name of the property; empty if that depends on the object.
  let name: KeyName
  // Unmanaged, like the next one, because a walk would retain it for each step (row: top link replaced).
  // Tables keep both, and are never freed.
  /// The property as the class declares it that the path finds there; nil if that depends on the object.
  private let declared: Unmanaged<KeyValueProperty>?
  let isConstant: Bool
  let isWeak: Bool
  let isBeforeLast: Bool
  /// Whether a value of the property is an observable object or nil.
  let leadsOn: Bool
  /// The property with its class, if the class lists it.
  private let own: Unmanaged<ClassProperty>?
  /// The class that declares the property.
  private let owner: (any KeyValueObservable.Type)?
  /// Whether that is the class of all objects there, or their superclass: a subclass of the class before may
  /// have another property of the key that a string names.
  private let isTyped: Bool
  /// The property as another class has it, of which an object was met last; 0 for none.
  private let other = Atomic<UInt>(0)

  /// A key of a class.
  ///
  /// - `isBeforeLast`: Whether the path leads on from its value to the object with the last key.
  /// - `isTyped`: Whether only objects of the class are found there.
  init(
    _ property: KeyValueProperty, of owner: any KeyValueObservable.Type, isBeforeLast: Bool,
    isTyped: Bool
  ) {
    self.isBeforeLast = isBeforeLast
    self.isTyped = isTyped
    let listed = PropertyTable.of(owner).classProperty(named: property.key)
    key = property.key
    name = property.name
    declared = .passUnretained(property)
    isConstant = property.kind == .constant
    isWeak = property.kind == .weak
    leadsOn = property.holdsObject && observableType(unwrappedType(property.valueType)) != nil
    self.owner = owner
    own = listed.flatMap { $0.property === property ? .passUnretained($0) : nil }
  }

  /// A key of whatever object the path finds there.
  init(key: String) {
    self.key = key
    name = KeyName("")
    declared = nil
    isConstant = false
    isWeak = false
    isBeforeLast = false
    isTyped = false
    leadsOn = false
    owner = nil
    own = nil
  }

  var property: KeyValueProperty? { declared?.takeUnretainedValue() }

  /// The property as the class of an object has it, if observing it takes nothing but attaching to its
  /// key; nil for all others.
  @inline(__always)
  func plainProperty(of object: AnyObject) -> Unmanaged<ClassProperty>? {
    guard let own, let owner else { return nil }
    let type = ObjectIdentifier(Swift.type(of: object))
    let isPlain = own._withUnsafeGuaranteedRef { $0.owner == type && $0.isKnownPlain }
    return isPlain ? own : find(own.takeUnretainedValue(), owner, object)
  }

  private func find<Owner: KeyValueObservable>(
    _ own: ClassProperty, _: Owner.Type, _ object: AnyObject
  ) -> Unmanaged<ClassProperty>? {
    if !isTyped, !(object is Owner) { return nil }
    let object = unsafeDowncast(object, to: Owner.self)
    let type = Swift.type(of: object)
    if own.owner == ObjectIdentifier(type) {
      return own.isPlain(in: object) ? .passUnretained(own) : nil
    }
    if let last = UnsafeRawPointer(bitPattern: other.load(ordering: .acquiring)) {
      let last = Unmanaged<ClassProperty>.fromOpaque(last)
      if last._withUnsafeGuaranteedRef({ $0.owner == ObjectIdentifier(type) }) { return last }
    }
    guard let found = PropertyTable.of(type).classProperty(named: key),
      found.property.valueType == own.property.valueType,
      found.property.kind == own.property.kind, found.property.name == own.property.name,
      found.isPlain(in: object)
    else { return nil }
    let unmanaged = Unmanaged.passUnretained(found)
    other.store(UInt(bitPattern: unmanaged.toOpaque()), ordering: .releasing)
    return unmanaged
  }

  @inline(__always)
  func object(in object: AnyObject) -> AnyObject? {
    declared.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.object(in: object) }
  }

  /// An object that the path has found there.
  func observable(_ object: AnyObject) -> (any KeyValueObservable)? {
    func cast<Owner: KeyValueObservable>(_: Owner.Type) -> any KeyValueObservable {
      unsafeDowncast(object, to: Owner.self)
    }
    return isTyped ? owner.map { cast($0) } : observableObject(object)
  }

  /// The context of an object that has a plain property.
  func context(of object: AnyObject) -> Unmanaged<ObservationContext> {
    func context<Owner: KeyValueObservable>(_: Owner.Type) -> Unmanaged<ObservationContext> {
      unsafeDowncast(object, to: Owner.self).keyValueRegistrar.madeContext
    }
    return context(owner.unsafelyUnwrapped)
  }
}
