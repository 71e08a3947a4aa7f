// By addresses, so that a caller that does not know the type puts no value into an existential (row: set of a bound
// property).
/// A comparison of values of a type.
struct Comparison<Value> {
  /// Compares the values at two addresses.
  let areSame: (UnsafeRawPointer, UnsafeRawPointer) -> Bool

  init(_ areSame: @escaping (Value, Value) -> Bool) {
    self.areSame = {
      areSame(
        $0.assumingMemoryBound(to: Value.self).pointee,
        $1.assumingMemoryBound(to: Value.self).pointee)
    }
  }

  /// Compares values of `Value`, which is the same type as `E`: `E` was opened from it.
  fileprivate init<E: Equatable>(as _: E.Type) {
    areSame = {
      $0.assumingMemoryBound(to: E.self).pointee == $1.assumingMemoryBound(to: E.self).pointee
    }
  }

  func callAsFunction(_ left: Value, _ right: Value) -> Bool {
    withUnsafePointer(to: left) { left in
      withUnsafePointer(to: right) { right in areSame(left, right) }
    }
  }
}

/// Returns a comparison of values of a type, objects by identity; nil if they cannot be compared.
func sameness<Value>(of type: Value.Type) -> Comparison<Value>? {
  let unwrapped = unwrappedType(type)
  guard unwrapped is AnyClass || isExistential(unwrapped) else { return equality(of: type) }
  if Value.self != Any?.self, let equality = equality(of: type) { return equality }
  return Comparison { isEqualAny(flatten($0), flatten($1), orSame: true) }
}

/// Returns a comparison of values of a type; nil if they are not `Equatable`.
///
/// If only some values are, all others are unequal.
func equality<Value>(of type: Value.Type) -> Comparison<Value>? {
  if Value.self == Any?.self {
    return Comparison { isEqualAny(flatten($0), flatten($1), orSame: false) }
  }
  guard let equatable = type as? any Equatable.Type else { return nil }
  func compare<E: Equatable>(_ type: E.Type) -> Comparison<Value> { Comparison(as: type) }
  return compare(equatable)
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
