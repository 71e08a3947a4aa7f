/// The edits of one file, which do not overlap.
struct EditSet: Sendable {
  private(set) var edits: [Edit] = []

  var isEmpty: Bool { edits.isEmpty }

  /// Adds edits, unless one of them overlaps another that is there; one that is there already is not added
  /// again.
  ///
  /// - Returns: Whether they are part of the set now.
  @discardableResult
  mutating func add(_ new: [Edit]) -> Bool {
    let new = new.filter { !edits.contains($0) || $0.range.isEmpty }
    guard new.allSatisfy(fits) else { return false }
    edits += new
    return true
  }

  /// Adds an insertion in front of others at the same offset.
  mutating func addFirst(_ edit: Edit) {
    if fits(edit) { edits.insert(edit, at: 0) }
  }

  private func fits(_ edit: Edit) -> Bool {
    edits.allSatisfy { other in
      if edit.range.isEmpty, other.range.isEmpty { return true }
      // An insertion may precede or follow a replacement, but not be in it.
      return edit.range.upperBound <= other.range.lowerBound
        || other.range.upperBound <= edit.range.lowerBound
    }
  }

  /// The bytes after the edits; insertions at one offset keep their order.
  func applied(to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + edits.reduce(0) { $0 + $1.replacement.utf8.count })
    var offset = 0
    for edit in sorted {
      result += bytes[offset..<edit.range.lowerBound]
      result += edit.replacement.utf8
      offset = edit.range.upperBound
    }
    return result + bytes[offset...]
  }

  /// The edits in the order of the text.
  var sorted: [Edit] {
    edits.enumerated()
      .sorted { left, right in
        (left.element.range.lowerBound, left.element.range.upperBound, left.offset)
          < (right.element.range.lowerBound, right.element.range.upperBound, right.offset)
      }
      .map(\.element)
  }
}
