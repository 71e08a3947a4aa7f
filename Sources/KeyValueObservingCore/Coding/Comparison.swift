// How `@min` and `@max` compare values whose types only run time knows.

/// Whether `left` comes before `right`, nil if they cannot be compared.
func isLess(_ left: Any, _ right: Any) -> Bool? {
  // An NSNumber compares with others, and with what a cast makes one of, but not always rightly.
  if type(of: left) is AnyClass || type(of: right) is AnyClass,
    let isLess = isLessNumber(left, right)
  {
    return isLess
  }
  if let left = left as? any Comparable, let isLess = compare(left, before: right) {
    return isLess
  }
  // The class of the right one may be that of which the left one's is a subclass.
  if let right = right as? any Comparable, let isLess = compare(right, after: left) {
    return isLess
  }
  return isLessNumber(left, right)
}

private func isLessNumber(_ left: Any, _ right: Any) -> Bool? {
  if let left = Number(left), let right = Number(right) { return left < right }
  // One is of a type beside the standard library's.
  if let left = left as? any Comparable & Numeric, let isLess = convert(right, after: left) {
    return isLess
  }
  return (right as? any Comparable & Numeric).flatMap { convert(left, before: $0) }
}

func isComparable(_ value: Any) -> Bool { value is any Comparable || Number(value) != nil }

func isNaN(_ value: Any) -> Bool { (value as? any FloatingPoint)?.isNaN ?? false }

private func compare<Value: Comparable>(_ value: Value, before other: Any) -> Bool? {
  (other as? Value).map { value < $0 }
}

private func compare<Value: Comparable>(_ value: Value, after other: Any) -> Bool? {
  (other as? Value).map { $0 < value }
}

private func convert<Value: Comparable & Numeric>(_ other: Any, after value: Value) -> Bool? {
  losslessly(other, as: Value.self).map { value < $0 }
}

private func convert<Value: Comparable & Numeric>(_ other: Any, before value: Value) -> Bool? {
  losslessly(other, as: Value.self).map { $0 < value }
}
