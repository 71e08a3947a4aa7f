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
