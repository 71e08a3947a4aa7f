extension KeyValueChange: CustomStringConvertible {
  /// The contents of the change in one line, such as `setting from 1 to 2` or `removal of ["a"] at
  /// 0`.
  ///
  /// A prior notification of a key path whose intermediate object was replaced is `prior setting
  /// from "a", path changed`. An absent value is left out, and a value that is present and nil is
  /// shown as `nil`: `setting to nil` (P2). Long values are truncated.
  public var description: String {
    var words = isPrior ? ["prior"] : []
    words.append("\(kind)")
    let isRemoval = kind == .removal
    if let oldValue { words.append("\(isRemoval ? "of" : "from") \(shownInLine(oldValue))") }
    let isInsertion = kind == .insertion
    if let newValue { words.append("\(isInsertion ? "of" : "to") \(shownInLine(newValue))") }
    if let indexes { words.append("at \(shown(indexes))") }
    let sentence = words.joined(separator: " ")
    return switch reason {
    case .valueChanged: sentence
    case .pathChanged: "\(sentence), path changed"
    case .sourceDeleted: "\(sentence), source deleted"
    }
  }
}

extension KeyValueChange: CustomReflectable {
  /// The contents of the change for `dump` and debuggers, with the indexes in place of their
  /// storage.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "kind": kind, "newValue": newValue as Any, "oldValue": oldValue as Any,
        "indexes": indexes as Any, "isPrior": isPrior, "reason": reason,
      ], displayStyle: .struct)
  }
}

extension KeyValueElementsChange: CustomStringConvertible {
  /// The removed and the inserted elements, with their offsets, in one line.
  ///
  /// An example is `removed "a" at 0; inserted "b" at 1, "c" at 2`. Of many elements, the first
  /// ones are shown.
  public var description: String {
    let parts = [("removed", removals), ("inserted", insertions)].filter { !$1.isEmpty }
    if parts.isEmpty { return "no elements" }
    return parts.map { "\($0) \(shown($1))" }.joined(separator: "; ")
  }

  private func shown(_ changes: [Change]) -> String {
    let limit = 8
    let first = changes.prefix(limit).map(\.description).joined(separator: ", ")
    return changes.count > limit ? "\(first) and \(changes.count - limit) more" : first
  }
}

extension KeyValueElementsChange.Change: CustomStringConvertible {
  /// The element and its offset, such as `"a" at 0`.
  public var description: String { "\(shownInLine(element)) at \(offset)" }
}

/// A value without optional layers, as one line of text that is not too long.
private func shownInLine(_ value: Any) -> String {
  let text = shown(flatten(value))
  return text.contains(where: \.isNewline)
    ? text.split(whereSeparator: \.isNewline).joined(separator: " ") : text
}

/// Indexes as ranges: `0, 2...5`.
private func shown(_ indexes: RangeSet<Int>) -> String {
  indexes.ranges.map { range in
    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)...\(range.upperBound - 1)"
  }.joined(separator: ", ")
}
