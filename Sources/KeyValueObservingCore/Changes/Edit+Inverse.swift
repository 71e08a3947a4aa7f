extension Edit {
  /// The edit of the same places that takes this one back.
  var inverse: Edit {
    if kind == kind.inverse { return self }
    return range.map { Edit(kind.inverse, at: $0) } ?? Edit(kind.inverse, at: indexes)
  }
}

extension KeyValueChangeKind {
  /// The kind of the change that undoes one of this kind.
  var inverse: Self {
    switch self {
    case .setting: .setting
    case .insertion: .removal
    case .removal: .insertion
    case .replacement: .replacement
    }
  }
}
