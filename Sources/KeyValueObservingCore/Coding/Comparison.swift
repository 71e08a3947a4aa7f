// How `@min` and `@max` compare values whose types only run time knows.

/// Whether `left` comes before `right`, nil if they cannot be compared.
func isLess(_ left: Any, _ right: Any) -> Bool? {
  if let left = left as? any Comparable, let isLess = compare(left, before: right) {
    return isLess
  }
  // The class of the right one may be that of which the left one's is a subclass.
  if let right = right as? any Comparable, let isLess = compare(right, after: left) {
    return isLess
  }
  guard let left = Number(left), let right = Number(right) else { return nil }
  return left < right
}

func isComparable(_ value: Any) -> Bool { value is any Comparable || Number(value) != nil }

func isNaN(_ value: Any) -> Bool { (value as? any FloatingPoint)?.isNaN ?? false }

private func compare<Value: Comparable>(_ value: Value, before other: Any) -> Bool? {
  (other as? Value).map { value < $0 }
}

private func compare<Value: Comparable>(_ value: Value, after other: Any) -> Bool? {
  (other as? Value).map { $0 < value }
}
