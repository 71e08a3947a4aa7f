/// The objects in a collection, each with a stored property for one key, of one type for all of them.
///
/// The values are read as what they are: an `Any` for each would take ten times as long as what is done
/// with most of them.
struct MemberObjects {
  private let objects: UnsafeBufferPointer<Unmanaged<AnyObject>>
  /// The property in each class of which there are objects.
  private let properties: [MemberProperty]
  private let valueType: Any.Type

  /// Returns nil if the key of some object is another kind of property, or there are no objects.
  init?(_ objects: UnsafeBufferPointer<Unmanaged<AnyObject>>, key: String) {
    guard let first = objects.first,
      let property = first._withUnsafeGuaranteedRef({ MemberProperty(key, of: $0) })
    else { return nil }
    var properties = [property]
    for object in objects {
      let isKnown = object._withUnsafeGuaranteedRef { object in
        if properties.contains(where: { $0.isOfClass(of: object) }) { return true }
        guard let other = MemberProperty(key, of: object), other.valueType == property.valueType
        else { return false }
        properties.append(other)
        return true
      }
      if !isKnown { return nil }
    }
    self.objects = objects
    self.properties = properties
    valueType = property.valueType
  }

  var count: Int { objects.count }

  /// Calls `body` with each value that is not nil, in the order of the objects.
  ///
  /// Returns false if the property is neither of the type nor an optional of it.
  func forEach<Value>(_: Value.Type, _ body: (Value) -> Void) -> Bool {
    if valueType == Value.self {
      forEachValue(Value.self, body)
    } else if valueType == Value?.self {
      forEachValue(Value?.self) { if let value = $0 { body(value) } }
    } else {
      return false
    }
    return true
  }

  private func forEachValue<Value>(_: Value.Type, _ body: (Value) -> Void) {
    let properties = properties
    for object in objects {
      object._withUnsafeGuaranteedRef { object in
        for property in properties where property.isOfClass(of: object) {
          return property.withValue(of: object) {
            body($0.assumingMemoryBound(to: Value.self).pointee)
          }
        }
      }
    }
  }
}

extension MemberCollection {
  /// Calls `body` with the members if they are objects with a stored property of one type for a key.
  func withObjects<Result>(key: String, _ body: (MemberObjects) -> Result?) -> Result? {
    var result: Result?
    withObjects { result = MemberObjects($0, key: key).flatMap(body) }
    return result
  }
}
