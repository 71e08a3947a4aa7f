/// Returns a comparison of values of a type, objects by identity; nil if they cannot be compared.
func sameness<Value>(of type: Value.Type) -> ((Value, Value) -> Bool)? {
  let unwrapped = unwrappedType(type)
  guard unwrapped is AnyClass || isExistential(unwrapped) else { return equality(of: type) }
  if Value.self != Any?.self, let equality = equality(of: type) { return equality }
  return { isEqualAny(flatten($0), flatten($1), orSame: true) }
}

/// Returns a comparison of values of a type; nil if they are not `Equatable`.
///
/// If only some values are, all others are unequal.
func equality<Value>(of type: Value.Type) -> ((Value, Value) -> Bool)? {
  if Value.self == Any?.self {
    return { isEqualAny(flatten($0), flatten($1), orSame: false) }
  }
  guard let equatable = type as? any Equatable.Type else { return nil }
  func compare<E: Equatable>(_: E.Type) -> (Value, Value) -> Bool {
    { isEqualInPlace($0, $1, as: E.self) }
  }
  return compare(equatable)
}

/// Compares values of `Value`, which is the same type as `E`: `E` was opened from it.
private func isEqualInPlace<Value, E: Equatable>(
  _ left: Value, _ right: Value, as _: E.Type
) -> Bool {
  withUnsafePointer(to: left) { left in
    withUnsafePointer(to: right) { right in
      UnsafeRawPointer(left).assumingMemoryBound(to: E.self).pointee
        == UnsafeRawPointer(right).assumingMemoryBound(to: E.self).pointee
    }
  }
}

/// Whether two values are equal, or with `orSame` the same object.
private func isEqualAny(_ left: Any?, _ right: Any?, orSame: Bool) -> Bool {
  switch (left, right) {
  case (nil, nil): return true
  case (let left?, let right?):
    if let left = left as? any Equatable { return isEqual(left, right) }
    // Arrays of anything are not `Equatable`, but mostly their elements are.
    if let left = left as? [Any?], let right = right as? [Any?] {
      return left.elementsEqual(right) {
        isEqualAny($0.flatMap(flatten), $1.flatMap(flatten), orSame: orSame)
      }
    }
    guard orSame, type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
    return (left as AnyObject) === (right as AnyObject)
  default: return false
  }
}

private func isEqual<Left: Equatable>(_ left: Left, _ right: Any) -> Bool {
  (right as? Left).map { $0 == left } ?? false
}
