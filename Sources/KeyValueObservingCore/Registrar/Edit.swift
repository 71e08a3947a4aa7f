/// What a change does to the elements of a collection (P35).
///
/// The old and new values of such a change are the elements that it concerns.
@usableFromInline
final class Edit: Sendable {
  @usableFromInline
  let kind: KeyValueChangeKind
  /// Where the elements are, if they are neighbours, as most are.
  ///
  /// The layout of a `RangeSet` is known at run time only, which every use of one would pay (row:
  /// by proxy).
  @usableFromInline
  let range: Range<Int>?
  /// Where they are, if they are not.
  private let scattered: RangeSet<Int>?

  @usableFromInline
  init(_ kind: KeyValueChangeKind, at range: Range<Int>) {
    self.kind = kind
    self.range = range
    scattered = nil
  }

  /// With no indexes, the collection is not ordered.
  @usableFromInline
  init(_ kind: KeyValueChangeKind, at indexes: RangeSet<Int>?) {
    self.kind = kind
    range = indexes?.onlyRange
    scattered = range == nil ? indexes : nil
  }

  /// Itself.
  ///
  /// Where a change takes the reference as it is, the optimizer copies the change's values once
  /// more (row: set, 1 observer of a string key).
  @usableFromInline
  var reference: Edit? { self }

  /// Where the elements are, in a collection that is ordered: before a removal, and after anything
  /// else.
  @usableFromInline
  var indexes: RangeSet<Int>? { range.map { RangeSet($0) } ?? scattered }
}

extension RangeSet<Int> {
  /// The range, if there is one and no other.
  fileprivate var onlyRange: Range<Int>? { ranges.count == 1 ? ranges[0] : nil }
}
