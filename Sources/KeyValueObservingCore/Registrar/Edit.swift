/// What a change does to the elements of a collection (P35). The old and new values of such a change
/// are the elements that it concerns.
@usableFromInline
final class Edit: Sendable {
  @usableFromInline
  let kind: KeyValueChangeKind
  /// Where the elements are, in a collection that is ordered.
  @usableFromInline
  let indexes: RangeSet<Int>?

  @usableFromInline
  init(_ kind: KeyValueChangeKind, at indexes: RangeSet<Int>?) {
    self.kind = kind
    self.indexes = indexes
  }
}
