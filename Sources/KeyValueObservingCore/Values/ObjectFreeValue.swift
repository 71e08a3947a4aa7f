/// A value that consists of others, and holds an object only if one of these does.
private protocol CompositeValue {
  static var partTypes: [Any.Type] { get }
}

extension Array: CompositeValue {
  fileprivate static var partTypes: [Any.Type] { [Element.self] }
}

extension ArraySlice: CompositeValue {
  fileprivate static var partTypes: [Any.Type] { [Element.self] }
}

extension ContiguousArray: CompositeValue {
  fileprivate static var partTypes: [Any.Type] { [Element.self] }
}

extension Set: CompositeValue {
  fileprivate static var partTypes: [Any.Type] { [Element.self] }
}

extension Dictionary: CompositeValue {
  fileprivate static var partTypes: [Any.Type] { [Key.self, Value.self] }
}

extension Optional: CompositeValue {
  fileprivate static var partTypes: [Any.Type] { [Wrapped.self] }
}

extension String: CompositeValue {
  fileprivate static var partTypes: [Any.Type] { [] }
}

extension Substring: CompositeValue {
  fileprivate static var partTypes: [Any.Type] { [] }
}

extension Character: CompositeValue {
  fileprivate static var partTypes: [Any.Type] { [] }
}

/// Whether a value holds no object, as its type shows: nil, text, values without any reference, and
/// collections of these.
///
/// Of other types, such as a structure with a string in it, it is not known.
func holdsNoObject<Value>(_ value: Value) -> Bool {
  // Casts would take most of the time of a change (row: through a weak property).
  if _isPOD(Value.self) { return true }
  guard let value = flatten(value) else { return true }
  return isFreeOfObjects(type(of: value))
}

/// Whether no value of a type holds an object, as far as the type shows.
func isFreeOfObjects(_ type: Any.Type) -> Bool {
  if let composite = type as? any CompositeValue.Type {
    return composite.partTypes.allSatisfy(isFreeOfObjects)
  }
  return isPlainType(type)
}

/// Whether the values of a type refer to nothing.
func isPlainType(_ type: Any.Type) -> Bool {
  func isPlain<Value>(_: Value.Type) -> Bool { _isPOD(Value.self) }
  return _openExistential(type, do: isPlain)
}
