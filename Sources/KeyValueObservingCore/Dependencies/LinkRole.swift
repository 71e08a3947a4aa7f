/// The role of a key in a derived value.
struct LinkRole {
  var order = NotificationOrder.observer
  /// How its value becomes the derived value, if it does.
  var leaf: LeafValue?
  /// Whether it leads to the object with the last key of a path (P26).
  var isBeforeLast = false
}

/// The rule that assigns roles to the keys that a derived value reads.
enum RoleAssignment {
  /// All play the same, as the inputs of a computed property do.
  case none
  /// Their positions among those that are read.
  case byPosition
  /// By the purpose of the read: see `KeyPathComponent`.
  case byKey
}

/// One key of a path, while it is read.
struct KeyPathComponent {
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
  func role(of name: KeyName, of subject: ObjectIdentifier) -> LinkRole {
    let isItself =
      property.kind != .computed && !isDependency && owner == subject && property.name == name
    return LinkRole(
      order: isItself ? .observer : .dependent,
      leaf: isItself ? leaf : nil,
      isBeforeLast: !isLast)
  }
}
