extension ArrayEdit {
  /// The edit that takes this one back, once it has been applied to an array that it fits.
  ///
  /// - `array`: The array before this edit.
  ///
  /// - Complexity: O(*m*) for *m* elements.
  func inverse(in array: [Element]) -> ArrayEdit {
    switch edit.kind {
    case .setting: self
    case .insertion: ArrayEdit(edit.withKind(.removal), bringing: [])
    case .removal: ArrayEdit(edit.withKind(.insertion), bringing: array.elements(at: edit))
    case .replacement: ArrayEdit(edit, bringing: array.elements(at: edit))
    }
  }
}

extension Edit {
  fileprivate func withKind(_ kind: KeyValueChangeKind) -> Edit {
    range.map { Edit(kind, at: $0) } ?? Edit(kind, at: indexes)
  }
}
