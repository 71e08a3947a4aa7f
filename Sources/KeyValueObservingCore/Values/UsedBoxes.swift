// To make and to release two boxes takes a tenth of a change (row: set an input).
/// The boxes of plain values that a change has delivered, for the values of the next one.
struct UsedBoxes {
  var old: AnyValueBox?
  var new: AnyValueBox?

  /// Takes boxes over, unless something else keeps them.
  @inline(__always)
  mutating func take(_ old: inout AnyValueBox?, _ new: inout AnyValueBox?) {
    if isKnownUniquelyReferenced(&old) { self.old = old.take() }
    if isKnownUniquelyReferenced(&new) { self.new = new.take() }
  }
}
