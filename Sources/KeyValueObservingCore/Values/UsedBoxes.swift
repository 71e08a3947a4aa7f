// To make and to release two boxes takes a tenth of a change (row: set an input).
/// The boxes of plain values that a change has delivered, for the values of the next one.
struct UsedBoxes {
  private var old: AnyValueBox?
  private var new: AnyValueBox?

  /// Takes boxes over, unless something else keeps them.
  @inline(__always)
  mutating func take(_ old: inout AnyValueBox?, _ new: inout AnyValueBox?) {
    if isKnownUniquelyReferenced(&old) { self.old = old.take() }
    if isKnownUniquelyReferenced(&new) { self.new = new.take() }
  }

  /// Hands over the box of an old value.
  mutating func takeOld() -> AnyValueBox? { old.take() }

  /// Hands over the box of a new value.
  mutating func takeNew() -> AnyValueBox? { new.take() }
}
