import Foundation

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  func padded(left width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }

  /// The text without the spaces at its end.
  var trimmedAtEnd: String {
    String(prefix(upTo: lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex))
  }
}

extension Double {
  /// The number with so many digits behind the point.
  func fixed(_ digits: Int) -> String {
    String(format: "%.\(digits)f", self)
  }

  /// The number with as many digits as mean something.
  var figure: String {
    let magnitude = abs(self)
    return fixed(magnitude < 1 ? 3 : magnitude < 10 ? 2 : magnitude < 100 ? 1 : 0)
  }
}

extension Benchmark {
  /// The goal of the row, empty if there is none.
  var goalText: String {
    switch goal {
    case .ratio(let limit): "≤ \(limit.figure)"
    case .amount(let limit): "≤ \(limit.figure) \(subject.unit.rawValue)"
    case nil: ""
    }
  }
}
