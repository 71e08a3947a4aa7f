/// The mutation of a collection's elements in a change (P35).
///
/// The old and new values of such a change are the elements concerned.
@usableFromInline
final class Edit: Sendable {
  @usableFromInline
  let kind: KeyValueChangeKind
  /// The indexes, if they are contiguous, as most are.
  ///
  /// The layout of a `RangeSet` is known at run time only, which every use of one would pay (row:
  /// by proxy).
  @usableFromInline
  let range: Range<Int>?
  /// The indexes, if they are not contiguous.
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

  /// The edit itself.
  ///
  /// If a change takes the reference directly, the optimizer copies the change's values once more
  /// (row: set, 1 observer of a string key).
  @usableFromInline
  var reference: Edit? { self }

  /// The indexes of the elements in an ordered collection: before a removal, and after anything
  /// else.
  @usableFromInline
  var indexes: RangeSet<Int>? { range.map { RangeSet($0) } ?? scattered }
}

extension RangeSet<Int> {
  /// The range, if there is one and no other.
  fileprivate var onlyRange: Range<Int>? { ranges.count == 1 ? ranges[0] : nil }
}
