/// One property of an observable class: its key, its key path, and how it is read and written.
///
/// A class lists its properties in ``KeyValueObservable/keyValueProperties()``; the macro writes
/// that list. A property is immutable and may be shared between threads.
public class KeyValueProperty: @unchecked Sendable {  // immutable; its key path is immutable too
  enum Kind {
    case stored, weak, constant, computed
    /// No property of its own, but another key path to one of a superclass.
    case overriding
    /// No property, but what notifies the registrar of the module `Observation`.
    case tracker
  }

  let name: KeyName
  let key: String
  let kind: Kind
  @usableFromInline
  let valueType: Any.Type
  /// Whether only typed key paths reach it, because the class keeps it to itself.
  let isPrivate: Bool
  /// The declared dependencies, in the class that declares the property.
  let dependsOn: [String]
  @usableFromInline
  let accessor: KeyValueAccessor
  /// Whether a value is an object or nil, and nothing but that.
  let holdsObject: Bool
  /// Whether its values can stay in boxes that are used again: they refer to nothing.
  let holdsPlainValues: Bool

  /// Takes a name that it may keep.
  init(
    name: KeyName, kind: Kind, valueType: Any.Type, isPrivate: Bool, dependsOn: [String],
    accessor: KeyValueAccessor
  ) {
    self.name = name
    key = name.key
    self.kind = kind
    self.valueType = valueType
    self.isPrivate = isPrivate
    self.dependsOn = dependsOn
    self.accessor = accessor
    let wrapped = (valueType as? any OptionalValue.Type)?.wrappedType ?? valueType
    holdsObject = wrapped is AnyClass
    holdsPlainValues = isPlainType(valueType)
  }

  deinit {
    name.deallocate()
  }

  /// Its key path, and the one that goes on to it behind an optional.
  var keyPath: AnyKeyPath? { nil }
  var chainedKeyPath: AnyKeyPath? { nil }
  /// Whether it is a subscript that reads an entry as a type of its own.
  var isSubscript: Bool { false }
  /// Whether nothing but accessors of the macro reads and changes it, in the class that declares it.
  var isOfMacro: Bool { false }
  /// Whether its key is data: no class keeps it, and observers receive values of type `Any?`.
  var isEntry: Bool { false }
  /// The accessor, if a class keeps the property.
  var lastingAccessor: Unmanaged<KeyValueAccessor>? {
    isEntry ? nil : .passUnretained(accessor)
  }
  var isReadOnly: Bool { true }
  /// Whether it can be set, and neither read nor observed.
  var isWriteOnly: Bool { false }
  /// The type that its values have, where observers receive them as another one.
  var declaredType: Any.Type { valueType }
  /// Whether setting it may throw, though the value has the declared type.
  var mayRefuseValues: Bool { false }

  func setValue(_ value: Any?, of subject: AnyObject) throws(KeyValueCodingError) {}
  /// Sets the property to a value of its own type, if it can be set at all.
  @usableFromInline
  func store<Value>(_ value: Value, in subject: AnyObject) {}
  /// Reads a value of its own type, lets a closure change it, and sets the property to it, if it can be set at all.
  @usableFromInline
  func modifyBySetting<Value>(_ subject: AnyObject, _ body: (inout Value) -> Void) {
    var changed = value(of: subject, as: Value.self)
    body(&changed)
    store(changed, in: subject)
  }
  /// Whether it can be set to a value that it has had.
  var isRestorable: Bool { false }
  /// The type of the values, if that is an array, and edits of it by proxy are made and recorded in place.
  var arrayEditedInPlace: (any ArrayEditedInPlace.Type)? { nil }
  /// Sets the property to a value of its own type that it has had, the one at an address.
  ///
  /// Returns false if it cannot be set.
  func restore(from address: UnsafeRawPointer, in subject: AnyObject) -> Bool { false }
  /// Converts a value to the property's type, as key-value coding does.
  func converted(_ value: Any?, of subject: AnyObject) throws(KeyValueCodingError) -> Any? { value }
  /// Converts a value and returns what sets the property to it, which cannot fail any more.
  func assignment(
    of value: Any?, to subject: AnyObject
  ) throws(KeyValueCodingError) -> () -> Void {
    throw .readOnly(type: Swift.type(of: subject), key: key)
  }
  /// Converts a value that is inserted into the property's collection by key.
  func adopted(_ value: Any?) -> Any? { value }
  /// Notifies the registrar of the module `Observation`; only an `ObservationTracker` does.
  func notifyTracking(
    _ event: _$ObservationEvent, of keyPath: AnyKeyPath, in subject: AnyObject
  ) {}
  /// A nil of the property's type; nil if that is not optional.
  var nilBox: AnyValueBox? { nil }
}

// MARK: Values

extension KeyValueProperty {
  func value(of subject: AnyObject) -> Any? {
    var value: Any?
    accessor.operations.withValue(of: subject) { value = accessor.operations.erase($0) }
    return value
  }

  /// The value, of the type that the property has.
  @inlinable
  func value<Value>(of subject: AnyObject, as _: Value.Type) -> Value {
    var value: Value?
    accessor.operations.withValue(of: subject) {
      value = $0.assumingMemoryBound(to: Value.self).pointee
    }
    return value.unsafelyUnwrapped
  }

  /// Reads the value, for the sake of what that reads.
  func read(_ subject: AnyObject) { accessor.operations.withValue(of: subject) { _ in } }

  /// The object in the property, which must hold one or nil.
  func object(in subject: AnyObject) -> AnyObject? { accessor.operations.object(in: subject) }

  /// The value, kept as one of the property's type.
  ///
  /// - `used`: A box that may be used again (`ValueBox.keeping(_:in:)`).
  func box(of subject: AnyObject, in used: consuming AnyValueBox? = nil) -> AnyValueBox {
    accessor.operations.box(of: subject, in: used)
  }

  /// The value, kept as an optional of the property's type.
  func optionalBox(of subject: AnyObject) -> AnyValueBox {
    accessor.operations.optionalBox(of: subject)
  }

  /// An optional of the property's type that holds nothing.
  var optionalNone: AnyValueBox { accessor.operations.none() }

  /// Mutates the value, of the property's own type; in place if the property has an accessor.
  @inlinable
  func modify<Value>(_ subject: AnyObject, as _: Value.Type, _ body: (inout Value) -> Void) {
    if let modify = accessor.modify {
      modify.call(subject) { body(&$0.assumingMemoryBound(to: Value.self).pointee) }
    } else {
      modifyBySetting(subject, body)
    }
  }

  /// The value of the property's type at `address`, as an `Any?` that is never doubly wrapped.
  func erase(_ address: UnsafeRawPointer) -> Any? { accessor.operations.erase(address) }

  /// Calls `body` with the addresses of optionals that hold the values at two addresses.
  func withOptionals(
    _ old: UnsafeRawPointer?, _ new: UnsafeRawPointer?,
    _ body: (UnsafeRawPointer?, UnsafeRawPointer?) -> Void
  ) {
    accessor.operations.wrap(old, new, body)
  }
}

// MARK: Making properties

extension KeyValueProperty {
  /// Describes a stored property.
  ///
  /// - Parameters:
  ///   - key: The name of the property.
  ///   - keyPath: Its key path, rooted at the class itself if that is final, else at a generic
  ///     parameter for the class.
  ///   - chained: The same key path through an optional object, `\Subject?.?.name`. With it, a
  ///     change of the last key of an optional chain is passed on without evaluating the chain.
  ///   - isReadOnly: Whether key-value coding may not write it, as with `private(set)`.
  ///   - isPrivate: Whether the property is hidden from string keys.
  ///   - dependsOn: Key paths whose changes are changes of this property.
  ///   - accessor: Reads and changes the property. Without one it is read through the key path.
  /// - Returns: The property.
  public static func stored<Subject: KeyValueObservable, Value>(
    _ key: StaticString, _ keyPath: KeyPath<Subject, Value>, chained: AnyKeyPath? = nil,
    isReadOnly: Bool = false, isPrivate: Bool = false, dependsOn: [String] = [],
    accessor: KeyValueAccessor? = nil
  ) -> KeyValueProperty {
    KeyPathProperty(
      key, keyPath, chained: chained, kind: .stored, isReadOnly: isReadOnly, isPrivate: isPrivate,
      dependsOn: dependsOn, accessor: accessor)
  }

  /// Describes a weak property, for which a deallocation is a change.
  ///
  /// Guarantee: P27.
  ///
  /// Its setter notifies the registrar with `setWeak(_:of:to:read:write:)`.
  ///
  /// The parameters are those of ``stored(_:_:chained:isReadOnly:isPrivate:dependsOn:accessor:)``.
  ///
  /// - Parameters:
  ///   - key: The property's key.
  ///   - keyPath: The property's key path.
  ///   - chained: The key path through an optional object, if the property can be reached through
  ///     one.
  ///   - isReadOnly: Whether key-value coding may not set the property.
  ///   - isPrivate: Whether the property is hidden from string keys.
  ///   - dependsOn: The keys and key paths on which the property depends, besides those that its
  ///     getter reads.
  ///   - accessor: Reads and writes the property without its key path.
  /// - Returns: The property.
  public static func weak<Subject: KeyValueObservable, Value>(
    _ key: StaticString, _ keyPath: KeyPath<Subject, Value>, chained: AnyKeyPath? = nil,
    isReadOnly: Bool = false, isPrivate: Bool = false, dependsOn: [String] = [],
    accessor: KeyValueAccessor? = nil
  ) -> KeyValueProperty {
    KeyPathProperty(
      key, keyPath, chained: chained, kind: .weak, isReadOnly: isReadOnly, isPrivate: isPrivate,
      dependsOn: dependsOn, accessor: accessor)
  }

  /// Describes a `let`, which can be a component of a key path and changes only with its
  /// dependencies.
  ///
  /// The parameters are those of ``stored(_:_:chained:isReadOnly:isPrivate:dependsOn:accessor:)``.
  ///
  /// - Parameters:
  ///   - key: The property's key.
  ///   - keyPath: The property's key path.
  ///   - chained: The key path through an optional object, if the property can be reached through
  ///     one.
  ///   - isPrivate: Whether the property is hidden from string keys.
  ///   - dependsOn: The keys and key paths on which the property depends, besides those that its
  ///     getter reads.
  ///   - accessor: Reads and writes the property without its key path.
  /// - Returns: The property.
  public static func constant<Subject: KeyValueObservable, Value>(
    _ key: StaticString, _ keyPath: KeyPath<Subject, Value>, chained: AnyKeyPath? = nil,
    isPrivate: Bool = false, dependsOn: [String] = [], accessor: KeyValueAccessor? = nil
  ) -> KeyValueProperty {
    KeyPathProperty(
      key, keyPath, chained: chained, kind: .constant, isReadOnly: true, isPrivate: isPrivate,
      dependsOn: dependsOn, accessor: accessor)
  }

  /// Describes a computed property.
  ///
  /// Its dependencies are found by evaluating its getter (P21).
  ///
  /// The parameters are those of ``stored(_:_:chained:isReadOnly:isPrivate:dependsOn:accessor:)``.
  ///
  /// - Parameters:
  ///   - key: The property's key.
  ///   - keyPath: The property's key path.
  ///   - chained: The key path through an optional object, if the property can be reached through
  ///     one.
  ///   - isReadOnly: Whether key-value coding may not set the property.
  ///   - isPrivate: Whether the property is hidden from string keys.
  ///   - dependsOn: The keys and key paths on which the property depends, besides those that its
  ///     getter reads.
  ///   - accessor: Reads and writes the property without its key path.
  /// - Returns: The property.
  public static func computed<Subject: KeyValueObservable, Value>(
    _ key: StaticString, _ keyPath: KeyPath<Subject, Value>, chained: AnyKeyPath? = nil,
    isReadOnly: Bool = false, isPrivate: Bool = false, dependsOn: [String] = [],
    accessor: KeyValueAccessor? = nil
  ) -> KeyValueProperty {
    KeyPathProperty(
      key, keyPath, chained: chained, kind: .computed, isReadOnly: isReadOnly, isPrivate: isPrivate,
      dependsOn: dependsOn, accessor: accessor)
  }

  /// Describes an override that adds `willSet` or `didSet` to a property of a superclass.
  ///
  /// The property keeps the superclass's description. In a `final` class the key path to it is
  /// another one.
  ///
  /// - Parameters:
  ///   - key: The name of the property.
  ///   - keyPath: Its key path, rooted at the class that overrides it.
  ///   - chained: The same key path through an optional object, `\Subject?.?.name`.
  /// - Returns: The property.
  public static func overriding<Subject: KeyValueObservable, Value>(
    _ key: StaticString, _ keyPath: KeyPath<Subject, Value>, chained: AnyKeyPath? = nil
  ) -> KeyValueProperty {
    KeyPathProperty(
      key, keyPath, chained: chained, kind: .overriding, isReadOnly: false, isPrivate: false,
      dependsOn: [], accessor: nil)
  }

  // `Array.append` would become a part of the list for each property (row: build).
  // swift-format-ignore: NoLeadingUnderscores
  /// Adds the property to a list, as the macro does.
  ///
  /// - Parameter properties: The properties to append to.
  @_documentation(visibility: internal)
  public func _$append(to properties: inout [KeyValueProperty]) { properties.append(self) }

  // Most are such. An argument with a default, and a result, are code for each property (row: build).
  // swift-format-ignore: NoLeadingUnderscores
  /// Adds a stored property without further characteristics to a list.
  @_documentation(visibility: internal)
  public static func _$addStored<Subject: KeyValueObservable, Value>(
    _ key: StaticString, _ keyPath: consuming KeyPath<Subject, Value>,
    chained: consuming AnyKeyPath, accessor: consuming KeyValueAccessor,
    to properties: inout [KeyValueProperty]
  ) {
    properties.append(
      KeyPathProperty(
        key, keyPath, chained: chained, kind: .stored, isReadOnly: false, isPrivate: false,
        dependsOn: [], accessor: accessor, isOfMacro: true))
  }

  /// Describes a property with a dynamic key, for ``KeyValueObservable/keyValueProperty(forKey:)``.
  ///
  /// An entry names its key wherever one is needed, so a class keeps one for each of its keys:
  /// making it takes many times as long as reading a value. It belongs to no object.
  ///
  /// - Parameters:
  ///   - key: The key, which may be any text.
  ///   - type: The class of the object.
  ///   - valueType: The type of the values: `Double.self`, `String?.self`. Key-value coding
  ///     converts what it is given to that type if nothing is lost, and refuses all else: nil,
  ///     where the type is not optional (P42). The default takes every value as it is.
  ///   - get: Reads the value through `value(of:in:read:)` of the registrar. Nil if the key is
  ///     write-only: reading and observing it throw ``KeyValueCodingError/writeOnly(type:key:)``.
  ///   - set: Sets a value, which is of `valueType`, through `set(_:of:to:read:write:)` of the
  ///     registrar. It may throw, before anything has changed. Nil if the key is read-only.
  /// - Returns: The property.
  public static func entry<Subject: KeyValueObservable>(
    _ key: String, of type: Subject.Type, valueType: Any.Type = Any?.self,
    get: ((Subject) -> Any?)?,
    set: ((Subject, Any?) throws(KeyValueCodingError) -> Void)?
  ) -> KeyValueProperty {
    EntryProperty(key, valueType: valueType, get: get, set: set)
  }
}
