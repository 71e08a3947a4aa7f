/// Converts a value to the type of a property, if nothing is lost (P42).
func convert<Value>(
  _ value: Any?, forKey key: String, of subject: AnyObject
) throws(KeyValueCodingError) -> Value {
  // Most values are of the type, and are not converted. Optionals are, since one inside another is flattened.
  if RuntimeLayout.kind(of: Value.self) != RuntimeLayout.Kind.optional,
    withUnsafePointer(to: value, { RuntimeLayout.typeOfValue(in: $0) }) == Value.self
  {
    return withUnsafePointer(to: value) { RuntimeLayout.value(in: $0, as: Value.self) }
  }
  if let converted: Value = losslessly(value) { return converted }
  guard let flat = value.flatMap({ flatten($0) }) else {
    throw .nilForNonOptional(type: type(of: subject), key: key, expected: Value.self)
  }
  throw .typeMismatch(
    type: type(of: subject), key: key, expected: Value.self, actual: type(of: flat),
    value: String(describing: flat))
}

/// Returns a value as one of another type, or nil if that type cannot hold it.
///
/// A value of the type remains as it is. A number becomes another type of number that has exactly
/// its value, and a `Bool` 0 or 1. A raw value becomes the value that it represents. Arrays, sets
/// and dictionaries are converted if all their members are. Text never becomes a number, nor a
/// number text.
package func losslessly<Value>(_ value: Any?, as _: Value.Type = Value.self) -> Value? {
  guard let flat = value.flatMap({ flatten($0) }) else {
    return (Value.self as? any OptionalValue.Type).map { $0.none as! Value }
  }
  if let same = flat as? Value { return same }
  return converted(flat, to: unwrappedType(Value.self)).flatMap { $0 as? Value }
}

private func converted(_ value: Any, to type: Any.Type) -> Any? {
  switch type {
  case let type as any BinaryInteger.Type: integer(value, type)
  case let type as any BinaryFloatingPoint.Type: floating(value, type)
  case is Bool.Type: losslessly(value, as: Int.self).flatMap { [0: false, 1: true][$0] }
  case let type as any MemberCollection.Type: Members(value).flatMap { type.init(converting: $0) }
  case let type as any KeyedCollection.Type:
    (value as? any KeyedCollection).flatMap { type.init(converting: $0.pairs) }
  case let type as any RawRepresentable.Type: represented(value, type)
  case let type as any Numeric.Type: number(value, type)
  default: nil
  }
}

/// Whether a value of one type, which is not nil, may be converted to another type.
///
/// False only for types of which it is known that no value can be.
func mayConvert(_ type: Any.Type, to other: Any.Type) -> Bool {
  guard let shape = Shape(of: unwrappedType(type)), let other = Shape(of: unwrappedType(other))
  else {
    return true
  }
  return shape == other
}

/// The kinds of values, none of which converts to another kind.
private enum Shape {
  case number, text, array, set, pairs

  init?(of type: Any.Type) {
    switch type {
    case is any RawRepresentable.Type: return nil
    case is any Numeric.Type, is Bool.Type: self = .number
    case is any StringProtocol.Type: self = .text
    case is any (MemberCollection & RangeReplaceableCollection).Type: self = .array
    case is any (MemberCollection & SetAlgebra).Type: self = .set
    case is any KeyedCollection.Type: self = .pairs
    default: return nil
    }
  }
}

// MARK: Numbers

private func integer<Value: BinaryInteger>(_ value: Any, _: Value.Type) -> Value? {
  switch value {
  case let bool as Bool: bool ? 1 : 0
  case let integer as any BinaryInteger: Value(exactly: integer)
  case let floating as any BinaryFloatingPoint: exact(floating)
  default: standardNumber(value).flatMap { integer($0, Value.self) }
  }
}

private func exact<Value: BinaryInteger>(_ floating: some BinaryFloatingPoint) -> Value? {
  Value(exactly: floating)
}

private func floating<Value: BinaryFloatingPoint>(_ value: Any, _: Value.Type) -> Value? {
  switch value {
  case let bool as Bool: bool ? 1 : 0
  case let integer as any BinaryInteger: exact(integer)
  case let floating as any BinaryFloatingPoint: exact(floating)
  default: standardNumber(value).flatMap { floating($0, Value.self) }
  }
}

private func exact<Value: BinaryFloatingPoint>(_ floating: some BinaryFloatingPoint) -> Value? {
  // One that is not a number is not equal to itself either, and is what it was in every type.
  floating.isNaN ? .nan : Value(exactly: floating)
}

private func exact<Value: BinaryFloatingPoint>(_ integer: some BinaryInteger) -> Value? {
  // Foundation's CGFloat traps where it is made of an integer whose type it does not know.
  Value.significandBitCount > Double.significandBitCount
    ? Value(exactly: integer) : Double(exactly: integer).flatMap { Value(exactly: $0) }
}

/// A number of a type beside the standard library's, such as Foundation's `Decimal`.
private func number<Value: Numeric>(_ value: Any, _: Value.Type) -> Value? {
  switch value {
  case let bool as Bool: bool ? 1 : 0
  case let integer as any BinaryInteger: Value(exactly: integer)
  case let floating as any BinaryFloatingPoint: number(floating)
  default: standardNumber(value).flatMap { number($0, Value.self) }
  }
}

private func number<Value: Numeric>(_ floating: some BinaryFloatingPoint) -> Value? {
  if let integer = Int128(exactly: floating) { return Value(exactly: integer) }
  return (Value.self as? any ExpressibleByFloatLiteral.Type).flatMap { literal(floating, $0) }
    as? Value
}

/// Such a type does not say what it makes of a literal, but for the text of its values.
private func literal<Value: ExpressibleByFloatLiteral>(
  _ floating: some BinaryFloatingPoint, _: Value.Type
) -> Value? {
  guard let double = Double(exactly: floating), double.isFinite,
    let literal = double as? Value.FloatLiteralType
  else { return nil }
  let value = Value(floatLiteral: literal)
  return Double(String(describing: value)) == double ? value : nil
}

/// A number of another type as one of the standard library's that has its value; nil if none has.
private func standardNumber(_ value: Any) -> Any? {
  if let number = value as? any Numeric { return standard(number) }
  // An NSNumber, which is cast to any of them but the widest.
  guard type(of: value) is AnyClass else { return nil }
  return value as? Int64 ?? value as? UInt64 ?? value as? Double
}

/// The only common property of all types of numbers that identifies a value is its text.
private func standard<Value: Numeric>(_ number: Value) -> Any? {
  let text = String(describing: number)
  if let integer = Int128(text), Value(exactly: integer) == number { return integer }
  if let double = Double(text), losslessly(double, as: Value.self) == number { return double }
  return nil
}

// MARK: Raw values

private func represented<Value: RawRepresentable>(_ value: Any, _: Value.Type) -> Value? {
  losslessly(value, as: Value.RawValue.self).flatMap { Value(rawValue: $0) }
}
