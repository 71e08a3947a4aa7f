/// The edits that take edits of an array back.
struct OppositeEdits {
  private struct Step {
    let edit: Edit
    /// The elements that it brings, as an array of the property's type.
    let elements: AnyValueBox?
  }

  /// In the order of the edits that they take back.
  private var steps: [Step] = []
  /// How many elements and edits are kept.
  private var size = 0
  /// The size from which on a copy of the array takes less memory.
  private let limit: Int

  /// - `count`: The number of elements before the first edit.
  init(count: Int) { limit = count }

  /// Whether they have got larger than the array.
  var isTooLarge: Bool { size > limit }

  /// Adds the opposite of an edit that is about to be made.
  ///
  /// - `removed`: The elements that it removes, as an array of the property's type.
  mutating func add(oppositeOf edit: Edit, removed: AnyValueBox?) {
    if edit.kind == .insertion, let joined = steps.last?.edit.joinedRemoval(ofInsertion: edit) {
      steps[steps.count - 1] = Step(edit: joined, elements: nil)
      return
    }
    steps.append(Step(edit: edit.inverse, elements: removed))
    size += 1 + (removed?.placeCount ?? 0)
  }

  /// Makes the edits, the last first.
  ///
  /// Returns the elements that they have removed, which may be deallocated when nothing has access to the array.
  func apply<Element>(to array: inout [Element]) -> [[Element]] {
    var leaving: [[Element]] = []
    for step in steps.reversed() {
      if step.edit.kind != .insertion { leaving.append(array.elements(at: step.edit)) }
      ArrayEdit(step.edit, bringing: step.elements?.anyValue as? [Element] ?? []).apply(to: &array)
    }
    return leaving
  }
}

extension Edit {
  /// The removal of what two insertions bring, if this one removes what the first brings, and the second adds to
  /// that.
  fileprivate func joinedRemoval(ofInsertion other: Edit) -> Edit? {
    guard kind == .removal, let range, let added = other.range,
      range.lowerBound...range.upperBound ~= added.lowerBound
    else { return nil }
    return Edit(.removal, at: range.lowerBound..<(range.upperBound + added.count))
  }
}

/// An array, whose edits can be composed, and taken back in place.
protocol ArrayEditedInPlace {
  /// Whether composed edits, which have added what is there now, make it of a former array, as far as its elements
  /// can be compared.
  func isResult(of edits: EditComposition, on former: Any) -> Bool
  func takingBack(_ edits: OppositeEdits) -> Self
  /// Changes the array at an address, and returns what has left it.
  static func takeBack(_ edits: OppositeEdits, at address: UnsafeMutableRawPointer) -> Any
}

extension Array: ArrayEditedInPlace {
  func takingBack(_ edits: OppositeEdits) -> [Element] {
    var former = self
    _ = edits.apply(to: &former)
    return former
  }

  static func takeBack(_ edits: OppositeEdits, at address: UnsafeMutableRawPointer) -> Any {
    edits.apply(to: &address.assumingMemoryBound(to: Self.self).pointee)
  }
}

extension AnyValueBox {
  /// The array before edits; nil if the value is no array.
  ///
  /// - Complexity: O(*n*) in the length of the array, and what the edits take.
  func takingBack(_ edits: OppositeEdits) -> AnyValueBox? {
    (anyValue as? any ArrayEditedInPlace).flatMap { boxOfSameType($0.takingBack(edits)) }
  }
}
