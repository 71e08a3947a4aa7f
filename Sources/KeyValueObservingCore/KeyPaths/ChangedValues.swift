/// The locations of the values of a change, of the type that the observer expects.
@usableFromInline
struct ChangedValues {
  @usableFromInline
  var old: UnsafeRawPointer?
  @usableFromInline
  var new: UnsafeRawPointer?
  /// The mutation of a collection's elements.
  @usableFromInline
  var edit: Unmanaged<Edit>?
  /// Whether the values were made for the observer, who takes those that it asked for out of their
  /// places.
  ///
  /// Only values of string paths are.
  var areGiven = false

  func erased(_ address: UnsafeRawPointer) -> Any? {
    let place = address.assumingMemoryBound(to: Any?.self)
    return areGiven ? UnsafeMutablePointer(mutating: place).move() : place.pointee
  }
}
