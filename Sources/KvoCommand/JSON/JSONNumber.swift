import Foundation

/// A number of a JSON document, held so that no digit is lost: identifiers with twenty digits are
/// as common in JSON as the types that would round them.
enum JSONNumber: Hashable {
  case integer(Int)
  case double(Double)
  /// A number with more digits than either of the two has, which collection operators take as well.
  case decimal(Decimal)
  /// The literal of a number that none of the others holds exactly. It equals the same literal only.
  case literal(String)

  /// Takes a literal that follows the grammar of JSON.
  ///
  /// `1.0` and `1e0` are the integer 1.
  init(_ literal: String) {
    let digits = DecimalDigits(literal)
    if let integer = digits.integer {
      self = .integer(integer)
    } else if let double = Double(literal), double.isFinite,
      DecimalDigits(double.description) == digits
    {
      self = .double(double)
    } else if let decimal = Decimal(string: literal),
      DecimalDigits(decimal.description) == digits
    {
      self = .decimal(decimal)
    } else {
      self = .literal(literal)
    }
  }
}

extension JSONNumber: CustomStringConvertible {
  var description: String {
    switch self {
    case .integer(let integer): integer.description
    case .double(let double): double.description
    case .decimal(let decimal): decimal.description
    case .literal(let literal): literal
    }
  }
}

/// The value of a literal: `digits` without zeros at either end, times ten to the `exponent`.
private struct DecimalDigits: Equatable {
  private var isNegative: Bool
  private var digits: Substring
  private var exponent: Int

  init(_ literal: String) {
    let parts = literal.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
    let mantissa = parts[0].drop { $0 == "-" }
    let fraction = mantissa.split(separator: ".").dropFirst().first ?? ""
    // One that is beyond all that an `Int` or a `Double` has, and leaves room to count from there:
    // which of them it is makes no difference.
    let limit = Int(Int32.max)
    exponent = parts.count == 2 ? min(max(Int(parts[1]) ?? limit, -limit), limit) : 0
    exponent -= fraction.count
    isNegative = literal.hasPrefix("-")
    digits = Substring(mantissa.filter { $0 != "." }).drop { $0 == "0" }
    while digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty {
      exponent = 0
      isNegative = false
    }
  }

  var integer: Int? {
    if digits.isEmpty { return 0 }
    // 19 digits is as long as an Int can be.
    guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
    return Int((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
  }
}
