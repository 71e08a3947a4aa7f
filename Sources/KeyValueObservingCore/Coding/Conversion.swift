/// Converts a value to the type of a property, numbers only where nothing is lost (P42).
func convert<Value>(
  _ value: Any?, forKey key: String, of subject: AnyObject
) throws(KeyValueCodingError) -> Value {
  let flat = value.flatMap { flatten($0) }
  guard let flat else {
    if let optional = Value.self as? any OptionalValue.Type { return optional.none as! Value }
    throw .nilForNonOptional(type: type(of: subject), key: key, expected: Value.self)
  }
  if let converted = flat as? Value { return converted }
  if let number = unwrappedType(Value.self) as? any LosslessNumber.Type,
    let converted = number.init(losslessly: flat) as? Value
  {
    return converted
  }
  throw .typeMismatch(
    type: type(of: subject), key: key, expected: Value.self, actual: type(of: flat),
    value: String(describing: flat))
}

/// A number that can be made from another type of number if that has exactly its value.
private protocol LosslessNumber {
  init?(losslessly value: Any)
}

extension LosslessNumber where Self: BinaryInteger {
  init?(losslessly value: Any) {
    switch value {
    case let integer as any BinaryInteger: self.init(exactly: integer)
    case let float as any BinaryFloatingPoint: self.init(exactly: Double(float))
    default: return nil
    }
  }
}

extension LosslessNumber where Self: BinaryFloatingPoint {
  init?(losslessly value: Any) {
    switch value {
    case let integer as any BinaryInteger: self.init(exactly: integer)
    case let float as any BinaryFloatingPoint: self.init(exactly: float)
    default: return nil
    }
  }
}

extension Int: LosslessNumber {}
extension Int8: LosslessNumber {}
extension Int16: LosslessNumber {}
extension Int32: LosslessNumber {}
extension Int64: LosslessNumber {}
extension UInt: LosslessNumber {}
extension UInt8: LosslessNumber {}
extension UInt16: LosslessNumber {}
extension UInt32: LosslessNumber {}
extension UInt64: LosslessNumber {}
extension Float: LosslessNumber {}
extension Double: LosslessNumber {}
