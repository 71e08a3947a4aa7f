/// The part that a key plays in an expression.
struct Placement {
  var rank = Rank.observer
  /// How its value is the value of the expression, if it is.
  var leaf: LeafValue?
  /// Whether it leads to the object with the last key of a path (P26).
  var isBeforeLast = false
}

/// One key of a string path, while it is read.
struct PathComponent {
  let property: KeyValueProperty
  /// Whether no other object follows.
  let isLast: Bool
  /// Whether its value is that of the path.
  let isWhole: Bool
  /// Whether what is being read is something that it depends on by declaration.
  var isDependency = false

  var placement: Placement {
    let isItself = property.kind != .computed && !isDependency
    return Placement(
      rank: isItself ? .observer : .dependent,
      leaf: isItself && isWhole ? .erased(property) : nil,
      isBeforeLast: !isLast)
  }
}
