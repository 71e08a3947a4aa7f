/// Adjacent elements of an array that a series of edits has treated alike.
struct EditRun: Equatable, Sendable {
  enum Kind: Sendable {
    /// The elements are those that were there before.
    case kept
    /// The elements are others at the positions of former ones.
    case replaced
    /// Former elements were removed, or others were inserted, or both.
    case exchanged
  }

  let kind: Kind
  /// The number of elements in the array before the edits.
  private(set) var formerCount: Int
  /// The number of elements in the array after them.
  private(set) var count: Int

  static func kept(_ count: Int) -> EditRun {
    EditRun(kind: .kept, formerCount: count, count: count)
  }

  static func inserted(_ count: Int) -> EditRun {
    EditRun(kind: .exchanged, formerCount: 0, count: count)
  }

  var isEmpty: Bool { formerCount == 0 && count == 0 }

  /// The run after its elements were replaced; inserted ones are inserted nonetheless.
  var replaced: EditRun {
    kind == .kept ? EditRun(kind: .replaced, formerCount: formerCount, count: count) : self
  }

  /// The run after its elements were removed.
  var removed: EditRun { EditRun(kind: .exchanged, formerCount: formerCount, count: 0) }

  mutating func append(_ other: EditRun) {
    formerCount += other.formerCount
    count += other.count
  }

  /// Shortens the run to its first elements, and returns the rest.
  ///
  /// The elements that were removed from a run have no position among the inserted ones, and stay in
  /// the first part.
  mutating func split(at index: Int) -> EditRun {
    let formerIndex = kind == .exchanged ? formerCount : index
    let rest = EditRun(kind: kind, formerCount: formerCount - formerIndex, count: count - index)
    (formerCount, count) = (formerIndex, index)
    return rest
  }
}
