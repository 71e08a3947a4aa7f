/// A number below 64, so that a word can say of most names that an object observes no key of that name.
extension KeyName {
  @inlinable
  static var markShift: UInt64 { 40 }

  /// The mark of names that may have several forms, because they are not ASCII, and of those that are not
  /// constants of the program.
  @inlinable
  static var unknownMark: UInt64 { 63 }

  /// The mark of an ASCII name, from three of its bytes and its length.
  @inlinable
  @inline(__always)
  static func mark(
    from first: UInt8, _ middle: UInt8, _ last: UInt8, count: Int
  ) -> UInt64 {
    let sum = UInt64(first) &* 3 &+ UInt64(middle) &* 7 &+ UInt64(last)
    return (sum &+ UInt64(truncatingIfNeeded: count) &* 5) % unknownMark
  }

  /// A word with the mark of this name alone.
  @inlinable
  var markBit: UInt64 {
    @inline(__always) get { 1 &<< (bits &>> KeyName.markShift) }
  }

  /// A word with the marks of all names that are equal to this one.
  var marksOfEqualNames: UInt64 {
    let anyName: UInt64 = 1 << KeyName.unknownMark
    if markBit != anyName { return markBit | anyName }
    let text = UnsafeBufferPointer(start: start, count: Int(count))
    // A letter with another form may be ASCII in that form, as the sign of kelvin is.
    guard !text.isEmpty, text.allSatisfy({ $0 < 0x80 }) else { return .max }
    let mark = KeyName.mark(
      from: text[0], text[text.count / 2], text[text.count - 1], count: text.count)
    return 1 << mark | anyName
  }
}
