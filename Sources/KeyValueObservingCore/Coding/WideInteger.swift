/// An integer of up to 128 bits, signed or not, or a sum of such: `high` · 2⁶⁴ + `low`.
///
/// Each part has room for more bits than a word, so that no sum overflows.
struct WideInteger {
  private var high: Int128
  private var low: Int128

  static var zero: Self { Self(0) }

  init(_ value: Int) {
    high = 0
    low = Int128(value)
  }

  /// Nil if more bits are needed.
  init?(_ value: some BinaryInteger) {
    guard let magnitude = UInt128(exactly: value.magnitude) else { return nil }
    self.init(magnitude, isNegative: value < 0)
  }

  /// Nil of what is no integer, or too large.
  init?(exactly value: Double) {
    guard let magnitude = UInt128(exactly: value.magnitude) else { return nil }
    self.init(magnitude, isNegative: value < 0)
  }

  private init(_ magnitude: UInt128, isNegative: Bool) {
    let (high, low) = (Int128(magnitude >> 64), Int128(magnitude & UInt128(UInt64.max)))
    self.high = isNegative ? -high : high
    self.low = isNegative ? -low : low
  }

  static func += (left: inout Self, right: Self) {
    left.high += right.high
    left.low += right.low
  }

  /// The parts, of which the lower one is a word without a sign.
  private var parts: (high: Int128, low: Int128) {
    let carry = low >> 64
    return (high + carry, low - carry << 64)
  }

  var int128: Int128? {
    let (high, low) = parts
    guard let high = Int64(exactly: high) else { return nil }
    return Int128(high) << 64 + low
  }

  var int: Int? { int128.flatMap { Int(exactly: $0) } }

  var double: Double {
    if let int128 { return Double(int128) }
    let (high, low) = parts
    return Double(high) * 0x1p64 + Double(low)
  }
}

extension WideInteger: Comparable {
  static func == (left: Self, right: Self) -> Bool { left.parts == right.parts }
  static func < (left: Self, right: Self) -> Bool { left.parts < right.parts }
}

extension WideInteger: CustomStringConvertible {
  var description: String { int128?.description ?? double.description }
}
