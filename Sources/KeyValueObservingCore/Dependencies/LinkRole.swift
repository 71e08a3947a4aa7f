/// The role of a key in a derived value.
enum LinkRole {
  /// It is an input.
  case input
  /// Its value becomes the derived value, and nothing has to be evaluated.
  case value
  /// The same, but a getter computes it, or another key on the path: a change of one of the inputs may be a change
  /// of several keys of the path, so that it is received in all phases.
  case valueInPhases
}
