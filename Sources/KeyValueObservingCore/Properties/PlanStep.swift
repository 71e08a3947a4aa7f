internal import Synchronization

/// One key of a path.
final class PlanStep: @unchecked Sendable {  // immutable but for an atomic
  let key: String
  /// The name of the property; empty if that depends on the object.
  let name: KeyName
  // Unmanaged, like the next one, because a walk would retain it for each step (row: top link replaced).
  // Tables keep both, and are never freed.
  /// The property as the class declares it that the path finds there; nil if that depends on the object.
  let declared: Unmanaged<KeyValueProperty>?
  let isConstant: Bool
  let isWeak: Bool
  let isIntermediate: Bool
  /// Whether a value of the property is an observable object or nil.
  let leadsOn: Bool
  /// The property with its class, if the class lists it.
  let listedProperty: Unmanaged<ClassProperty>?
  /// The class that declares the property.
  let owner: (any KeyValueObservable.Type)?
  /// Whether that is the class of all objects there, or their superclass: a subclass of the class before may
  /// have another property of the key that a string names.
  let isTyped: Bool
  /// The property as another class has it, of which an object was met last; 0 for none.
  let other = Atomic<UInt>(0)

  /// A key of a class.
  ///
  /// - `isIntermediate`: Whether the path leads on from its value to the object with the last key.
  /// - `isTyped`: Whether only objects of the class are found there.
  init(
    _ property: KeyValueProperty, of owner: any KeyValueObservable.Type, isIntermediate: Bool,
    isTyped: Bool
  ) {
    self.isIntermediate = isIntermediate
    self.isTyped = isTyped
    let listed = PropertyTable.of(owner).classProperty(named: property.key)
    key = property.key
    name = property.name
    declared = .passUnretained(property)
    isConstant = property.kind == .constant
    isWeak = property.kind == .weak
    leadsOn = property.holdsObject && observableType(unwrappedType(property.valueType)) != nil
    self.owner = owner
    listedProperty = listed.flatMap { $0.property === property ? .passUnretained($0) : nil }
  }

  /// A key of whatever object the path finds there.
  init(key: String) {
    self.key = key
    name = KeyName("")
    declared = nil
    isConstant = false
    isWeak = false
    isIntermediate = false
    isTyped = false
    leadsOn = false
    owner = nil
    listedProperty = nil
  }

  var property: KeyValueProperty? { declared?.takeUnretainedValue() }
}
