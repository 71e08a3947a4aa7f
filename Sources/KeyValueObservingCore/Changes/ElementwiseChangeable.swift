/// A collection to which what a change says of its elements can be done as well.
protocol ElementwiseChangeable {
  /// The collection as it is after a change of this kind; nil if the change is none of its own.
  func changed(
    _ kind: KeyValueChangeKind, at indexes: RangeSet<Int>?, from old: Any?, to new: Any?
  ) -> Self?
}

extension Array: ElementwiseChangeable {
  func changed(
    _ kind: KeyValueChangeKind, at indexes: RangeSet<Int>?, from old: Any?, to new: Any?
  ) -> [Element]? {
    guard let indexes else { return nil }
    let elements = new as? [Element] ?? []
    let edit = ArrayEdit(Edit(kind, at: indexes), bringing: kind == .removal ? [] : elements)
    guard edit.misfit(count: count) == nil else { return nil }
    var changed = self
    edit.apply(to: &changed)
    return changed
  }
}

extension Set: ElementwiseChangeable {
  func changed(
    _ kind: KeyValueChangeKind, at indexes: RangeSet<Int>?, from old: Any?, to new: Any?
  ) -> Set<Element>? {
    subtracting(old as? Set ?? []).union(new as? Set ?? [])
  }
}
