/// A collection to which what a change says of its elements can be done as well.
protocol ElementwiseChangeable {
  /// The collection as it is after a change of this kind; itself if the change is none of its own.
  func changed(
    _ kind: KeyValueChangeKind, at indexes: RangeSet<Int>?, from old: Any?, to new: Any?
  ) -> Self
}

extension Array: ElementwiseChangeable {
  func changed(
    _ kind: KeyValueChangeKind, at indexes: RangeSet<Int>?, from old: Any?, to new: Any?
  ) -> [Element] {
    guard let indexes else { return self }
    var changed = self
    switch kind {
    case .setting: break
    case .insertion:
      if let new = new as? [Element] { ArrayEdit.insertion(indexes, new).apply(to: &changed) }
    case .removal: ArrayEdit.removal(indexes).apply(to: &changed)
    case .replacement:
      if let new = new as? [Element] { ArrayEdit.replacement(indexes, new).apply(to: &changed) }
    }
    return changed
  }
}

extension Set: ElementwiseChangeable {
  func changed(
    _ kind: KeyValueChangeKind, at indexes: RangeSet<Int>?, from old: Any?, to new: Any?
  ) -> Set<Element> {
    subtracting(old as? Set ?? []).union(new as? Set ?? [])
  }
}
