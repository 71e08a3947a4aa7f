import Foundation

/// Places numbers on a line so that equal ratios have equal lengths.
struct LogScale {
  /// The powers of ten that enclose all numbers.
  private let exponents: ClosedRange<Int>
  private let start: Double
  private let end: Double

  /// - `start`: The coordinate of the least power of ten.
  /// - `end`: The coordinate of the greatest.
  init(enclosing values: [Double], from start: Double, to end: Double) {
    let logarithms = values.filter { $0 > 0 }.map(log10)
    let least = Int((logarithms.min() ?? 0).rounded(.down))
    let greatest = Int((logarithms.max() ?? 1).rounded(.up))
    exponents = least...max(greatest, least + 1)
    self.start = start
    self.end = end
  }

  /// The powers of ten, from the least to the greatest.
  var decades: [Double] { exponents.map { pow(10, Double($0)) } }

  func coordinate(of value: Double) -> Double {
    let share =
      (log10(value) - Double(exponents.lowerBound))
      / Double(exponents.upperBound - exponents.lowerBound)
    return start + share * (end - start)
  }
}
