/// Drops after-changes whose value equals the one last heard (P9).
final class DistinctFilter<Value> {
  private let isEqual: (Value, Value) -> Bool
  private let lock = Lock()
  private var last: Value

  /// Returns nil if values of the type cannot be compared.
  init?(startingAt value: Value) {
    guard let isEqual = equality(of: Value.self) else { return nil }
    self.isEqual = isEqual
    last = value
  }

  /// Whether values can be changed element by element: then the old elements have to be known.
  var comparesElements: Bool {
    // Not only `last`, which may be nil as yet.
    Value.self == Any?.self || last is any ElementwiseChangeable
      || unwrappedType(Value.self) is any ElementwiseChangeable.Type
  }

  /// Whether an observer that last heard another value is to hear of this change.
  func admits(_ change: KeyValueChange<Value>) -> Bool {
    let former = lock.withLock { last }
    if change.kind == .setting {
      guard let value = change.newValue else { return true }
      return !isEqual(former, value) && replaceLast(by: value)
    }
    if let old = change.oldValue, let new = change.newValue, isEqual(old, new) { return false }
    return replaceLast(by: value(former, changedBy: change))
  }

  /// What a value comes to that was changed element by element.
  private func value(_ former: Value, changedBy change: KeyValueChange<Value>) -> Value {
    guard let collection = flatten(former) as? any ElementwiseChangeable else {
      // The first edit of what was nil brings all that it comes to (L-06).
      return change.newValue ?? former
    }
    let changed = collection.changed(
      change.kind, at: change.indexes, from: change.oldValue.flatMap { flatten($0) },
      to: change.newValue.flatMap { flatten($0) })
    return changed as? Value ?? former
  }

  private func replaceLast(by value: Value) -> Bool {
    let replaced = lock.withLock {
      let replaced = last
      last = value
      return replaced
    }
    withExtendedLifetime(replaced) {}
    return true
  }
}

/// How values of a type are told apart, objects by identity; nil if they cannot be.
func sameness<Value>(of type: Value.Type) -> ((Value, Value) -> Bool)? {
  let unwrapped = unwrappedType(type)
  guard unwrapped is AnyClass || isExistential(unwrapped) else { return equality(of: type) }
  return equality(of: type) ?? { isEqualAny(flatten($0), flatten($1)) }
}

/// How values of a type are compared; nil if they are not `Equatable`.
private func equality<Value>(of type: Value.Type) -> ((Value, Value) -> Bool)? {
  if Value.self == Any?.self {
    return { isEqualAny(flatten($0), flatten($1)) }
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

private func isEqualAny(_ left: Any?, _ right: Any?) -> Bool {
  switch (left, right) {
  case (nil, nil): return true
  case (let left?, let right?):
    if let left = left as? any Equatable { return isEqual(left, right) }
    guard type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
    return (left as AnyObject) === (right as AnyObject)
  default: return false
  }
}

private func isEqual<Left: Equatable>(_ left: Left, _ right: Any) -> Bool {
  (right as? Left).map { $0 == left } ?? false
}
