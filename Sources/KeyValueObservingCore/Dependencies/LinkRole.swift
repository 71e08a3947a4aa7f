/// The role of a key in a derived value.
enum LinkRole {
  /// It is an input.
  case input
  /// Its value becomes the derived value, and nothing has to be evaluated.
  case value
  /// The same, behind a key that a getter computes, which may read it as well: a change of it may be a change of both,
  /// so that it is received in all phases.
  case valueInPhases
  /// The same, but a getter computes it: a change of one of its inputs may be a change of other keys on the
  /// path as well, so that it is received in all phases.
  case computedValue
}
