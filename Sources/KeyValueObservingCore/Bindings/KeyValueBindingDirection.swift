/// The direction of a binding that writes its second side only.
public enum KeyValueBindingDirection: Sendable {
  /// Changes of the first side are written to the second one, which may be set to other values
  /// meanwhile.
  case oneWay
}
