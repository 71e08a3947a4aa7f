/// The part that a key plays in an expression.
struct Placement {
  var rank = Rank.observer
  /// How its value is the value of the expression, if it is.
  var leaf: LeafValue?
  /// Whether it leads to the object with the last key of a path (P26).
  var isBeforeLast = false
}

/// The rule that assigns parts to the keys that an expression reads.
enum Parts {
  /// All play the same, as the inputs of a computed property do.
  case none
  /// Their positions among those that are read.
  case byPosition
  /// By the purpose of the read: see `PathComponent`.
  case byKey
}

/// One key of a path, while it is read.
struct PathComponent {
  let property: KeyValueProperty
  /// The object that has it.
  let owner: ObjectIdentifier
  /// Whether no other object follows.
  let isLast: Bool
  /// How its value is that of the path, if it is.
  var leaf: LeafValue?
  /// Whether what is being read is something that it depends on by declaration.
  var isDependency = false

  /// The part of a key that is read for it: of the key itself, or of what its getter reads besides,
  /// where a class overrides that and does not list it.
  func placement(of name: KeyName, of subject: ObjectIdentifier) -> Placement {
    let isItself =
      property.kind != .computed && !isDependency && owner == subject && property.name == name
    return Placement(
      rank: isItself ? .observer : .dependent,
      leaf: isItself ? leaf : nil,
      isBeforeLast: !isLast)
  }
}
