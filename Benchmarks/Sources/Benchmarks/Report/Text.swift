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
}
