/// The mutation of a collection's elements in a change (P35).
///
/// The old and new values of such a change are the elements concerned.
@usableFromInline
class Edit: @unchecked Sendable {  // immutable
  @usableFromInline
  final let kind: KeyValueChangeKind
  /// The indexes, if they are contiguous, as most are.
  ///
  /// The layout of a `RangeSet` is known at run time only, which every use of one would pay (row:
  /// by proxy).
  @usableFromInline
  final let range: Range<Int>?
  /// The indexes, if they are not contiguous.
  private final let scattered: RangeSet<Int>?

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
  final var reference: Edit? { self }

  /// The indexes of the elements in an ordered collection: before a removal, and after anything
  /// else.
  @usableFromInline
  final var indexes: RangeSet<Int>? { range.map { RangeSet($0) } ?? scattered }
}

/// Edits of an array of several kinds, which a transaction delivers as one setting (P49).
///
/// The old and new values of such a change are the whole arrays.
final class ComposedEdit: Edit, @unchecked Sendable {  // immutable
  let composition: EditComposition

  init(_ composition: EditComposition) {
    self.composition = composition
    super.init(.setting, at: nil)
  }
}

extension RangeSet<Int> {
  /// The range, if there is one and no other.
  fileprivate var onlyRange: Range<Int>? { ranges.count == 1 ? ranges[0] : nil }
}
