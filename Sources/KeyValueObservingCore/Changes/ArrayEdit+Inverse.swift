extension ArrayEdit {
  /// The edit that takes this one back, once it has been applied to an array that it fits.
  ///
  /// - `array`: The array before this edit.
  ///
  /// - Complexity: O(*m*) for *m* elements.
  func inverse(in array: [Element]) -> ArrayEdit {
    switch edit.kind {
    case .setting: self
    case .insertion: ArrayEdit(edit.inverse, bringing: [])
    case .removal, .replacement: ArrayEdit(edit.inverse, bringing: array.elements(at: edit))
    }
  }
}

extension Edit {
  /// The edit of the same places that takes this one back.
  var inverse: Edit {
    switch kind {
    case .setting, .replacement: self
    case .insertion: withKind(.removal)
    case .removal: withKind(.insertion)
    }
  }

  private func withKind(_ kind: KeyValueChangeKind) -> Edit {
    range.map { Edit(kind, at: $0) } ?? Edit(kind, at: indexes)
  }
}
