/// What a change does to the elements of a collection (P35). The old and new values of such a change
/// are the elements that it concerns.
@usableFromInline
final class Edit: Sendable {
  let kind: KeyValueChangeKind
  /// Where the elements are, in a collection that is ordered.
  let places: Places?

  init(_ kind: KeyValueChangeKind, at indexes: RangeSet<Int>?) {
    self.kind = kind
    places = indexes.map { Places($0) }
  }
}

extension KeyValueChange {
  /// Says what is done to the elements of a collection, if that is all the change does.
  @usableFromInline
  mutating func describe(_ edit: Edit) {
    kind = edit.kind
    places = edit.places
  }
}
