/// How the value of the last key of a path is made the value of the path.
enum LeafValue {
  case same
  /// Behind an optional component it becomes optional itself.
  case wrapped(KeyValueProperty)
  /// String paths deliver `Any?`.
  case erased(KeyValueProperty)
  /// Behind a subscript, the `Any?` of an entry becomes what the subscript returns.
  case cast(EntryCast)

  /// Returns nil if values of the property are none of `type`.
  init?(of property: KeyValueProperty, in type: Any.Type) {
    if property.valueType == type {
      self = .same
    } else if (type as? any OptionalValue.Type)?.wrappedType == property.valueType {
      self = .wrapped(property)
    } else if let cast = EntryCast(from: property, to: type) {
      self = .cast(cast)
    } else {
      return nil
    }
  }

  /// The property whose values are delivered as `Any?`.
  ///
  /// The leaf keeps it.
  var erasedProperty: Unmanaged<KeyValueProperty>? {
    if case .erased(let property) = self { .passUnretained(property) } else { nil }
  }

  /// Calls `body` with the addresses of the values of the path that values of the property are.
  func withValues(
    _ old: UnsafeRawPointer?, _ new: UnsafeRawPointer?,
    _ body: (UnsafeRawPointer?, UnsafeRawPointer?) -> Void
  ) {
    switch self {
    case .same: body(old, new)
    case .wrapped(let property): property.withOptionals(old, new, body)
    case .cast(let cast): cast(old, new, body)
    case .erased(let property):
      withAddress(of: old.map(property.erase)) { old in
        withAddress(of: new.map(property.erase)) { new in body(old, new) }
      }
    }
  }

  /// The value of a path to a property that is not reached.
  func none(of property: KeyValueProperty) -> AnyValueBox? {
    switch self {
    case .same, .cast: property.nilBox
    case .wrapped: property.optionalNone
    case .erased: ValueBox<Any?>(nil)
    }
  }
}
