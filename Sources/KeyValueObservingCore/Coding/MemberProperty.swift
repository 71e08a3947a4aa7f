/// A property that the members of a collection have, most of which are of one class: it is looked for
/// once instead of for each.
struct MemberProperty {
  private let property: KeyValueProperty
  private let type: ObjectIdentifier

  /// Returns nil if reading the key of a member may be more than reading a property of its class.
  init?(_ key: String, of member: Any) {
    guard let object = observableObject(member),
      !Swift.type(of: object).hasDynamicKeys,
      let property = PropertyTable.of(Swift.type(of: object)).property(named: key),
      !property.isPrivate, property.kind != .computed,
      object.keyValueProperty(forKey: key) === property
    else { return nil }
    self.property = property
    type = ObjectIdentifier(Swift.type(of: object))
  }

  var valueType: Any.Type { property.valueType }

  /// Whether an object is of the class.
  @inline(__always)
  func isOfClass(of object: AnyObject) -> Bool { ObjectIdentifier(Swift.type(of: object)) == type }

  /// Calls `body` with the address of an object's value, which has the property's type.
  @inline(__always)
  func withValue(of object: AnyObject, _ body: (UnsafeRawPointer) -> Void) {
    property.accessor.operations.withValue(of: object, body)
  }

  /// The value of a member; nil if it is of another class.
  func value(of member: Any) -> Any?? {
    guard ObjectIdentifier(Swift.type(of: member)) == type else { return nil }
    return .some(property.value(of: reference(in: member)))
  }
}
