/// A number in a value: one of the standard library's, or a `Bool`, which counts as 0 or 1.
enum Number {
  case integer(WideInteger)
  case floating(Double)

  init?(_ value: Any) {
    switch value {
    case let value as Int: self = .integer(WideInteger(value))
    case let value as Double: self = .floating(value)
    case let value as Bool: self = .integer(WideInteger(value ? 1 : 0))
    case let value as any BinaryInteger: self = Number.made(value)
    case let value as any BinaryFloatingPoint: self = .floating(Number.double(value))
    default: return nil
    }
  }

  private static func made(_ value: some BinaryInteger) -> Number {
    WideInteger(value).map { .integer($0) } ?? .floating(Double(value))
  }

  private static func double(_ value: some BinaryFloatingPoint) -> Double { Double(value) }

  /// Whether one is less than another, exactly, also of an integer that no `Double` can hold.
  static func < (left: Number, right: Number) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.floating(let left), .floating(let right)): left < right
    case (.integer(let left), .floating(let right)): isLess(left, right)
    case (.floating(let left), .integer(let right)): isLess(left, right)
    }
  }

  private static func isLess(_ integer: WideInteger, _ double: Double) -> Bool {
    let floor = double.rounded(.down)
    guard let whole = WideInteger(exactly: floor) else { return double > 0 }
    return integer < whole || (integer == whole && floor < double)
  }

  private static func isLess(_ double: Double, _ integer: WideInteger) -> Bool {
    let ceiling = double.rounded(.up)
    guard let whole = WideInteger(exactly: ceiling) else { return double < 0 }
    return whole < integer || (whole == integer && double < ceiling)
  }
}

/// A sum that is exact for integers, and of floating-point numbers hardly depends on their order.
struct Total {
  private(set) var integers = WideInteger.zero
  private var floating = 0.0
  /// The rounding error of `floating`, after Neumaier.
  private var correction = 0.0
  private var isFloating = false

  mutating func add(_ number: Number) {
    switch number {
    case .integer(let integer): integers += integer
    case .floating(let double): add(double)
    }
  }

  mutating func add(_ integer: Int) { integers += WideInteger(integer) }

  mutating func add(_ double: Double) {
    isFloating = true
    addFloating(double)
  }

  private mutating func addFloating(_ double: Double) {
    let sum = floating + double
    correction +=
      abs(floating) >= abs(double) ? (floating - sum) + double : (double - sum) + floating
    floating = sum
  }

  /// An `Int`, or a `Double` if one of the numbers was floating; nil if no `Int` can hold it.
  var sum: Any? { isFloating ? double : integers.int }

  /// Nil of no numbers at all.
  func average(over count: Int) -> Double? { count == 0 ? nil : double / Double(count) }

  private var double: Double {
    var total = self
    total.addFloating(integers.double)
    // Once the sum is infinite or not a number, the correction means nothing.
    return total.floating.isFinite ? total.floating + total.correction : total.floating
  }
}
