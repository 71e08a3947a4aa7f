/// A number as it is, whatever its type: what conversions are measured against.
///
/// It knows each type by name and shares nothing with the library.
enum Exact: Equatable {
  /// A sign and what is behind it, which no integer of the standard library is too large for.
  case integer(isNegative: Bool, UInt128)
  /// A number that is no such integer.
  case floating(Double)
  case notANumber

  init?(_ value: Any) {
    switch value {
    case let value as Bool: self.init(value ? 1 : 0)
    case let value as Int8: self.init(Int128(value))
    case let value as Int16: self.init(Int128(value))
    case let value as Int32: self.init(Int128(value))
    case let value as Int64: self.init(Int128(value))
    case let value as Int: self.init(Int128(value))
    case let value as Int128: self.init(value)
    case let value as UInt8: self.init(Int128(value))
    case let value as UInt16: self.init(Int128(value))
    case let value as UInt32: self.init(Int128(value))
    case let value as UInt64: self.init(Int128(value))
    case let value as UInt: self.init(Int128(value))
    case let value as UInt128: self = .integer(isNegative: false, value)
    case let value as Float: self.init(Double(value))
    case let value as Double: self.init(value)
    default: return nil
    }
  }

  private init(_ integer: Int128) {
    self = .integer(isNegative: integer < 0, integer.magnitude)
  }

  private init(_ double: Double) {
    if double.isNaN {
      self = .notANumber
    } else if let magnitude = UInt128(exactly: double.magnitude) {
      self = .integer(isNegative: double < 0, magnitude)
    } else {
      self = .floating(double)
    }
  }

  /// Whether a type of numbers, which `sample` is of, can hold the number.
  func fits(_ sample: Any) -> Bool {
    switch sample {
    case is Bool: self == .integer(isNegative: false, 0) || self == .integer(isNegative: false, 1)
    case let integer as any FixedWidthInteger: fitsInteger(integer)
    case is Float: fitsFloating(bits: 24) { Double(Float($0)) }
    case is Double: fitsFloating(bits: 53) { $0 }
    default: false
    }
  }

  private func fitsInteger<Value: FixedWidthInteger>(_: Value) -> Bool {
    guard case .integer(let isNegative, let magnitude) = self else { return false }
    if isNegative { return Value.isSigned && magnitude <= UInt128(Value.min.magnitude) }
    return magnitude <= UInt128(Value.max.magnitude)
  }

  /// Between its first and its last digit an integer must not have more than `bits`.
  private func fitsFloating(bits: Int, rounded: (Double) -> Double) -> Bool {
    switch self {
    case .notANumber: true
    case .floating(let double): rounded(double) == double
    case .integer(_, let magnitude):
      magnitude == 0
        || 128 - magnitude.leadingZeroBitCount - magnitude.trailingZeroBitCount <= bits
    }
  }
}
