internal import CKeyValueObserving

/// The UTF-8 text of a key, which another object retains.
@usableFromInline
struct KeyName: Equatable {
  @usableFromInline
  let start: UnsafePointer<UInt8>
  // One number, because the parts of a word are cleaned wherever they are passed on
  // (row: set, 1 observer).
  /// How long it is, whether it lives as long as the program, and the number of its mark.
  ///
  /// No key is longer than 4 GB, and every observed key keeps one (row: memory).
  @usableFromInline
  let bits: UInt64

  // In place, so that the compiler reads the literal, and a setter passes a constant.
  @inlinable
  @inline(__always)
  init(_ name: StaticString) {
    start = name.utf8Start
    let count = name.utf8CodeUnitCount
    let mark =
      name.isASCII && count > 0
      ? KeyName.mark(from: start[0], start[count / 2], start[count - 1], count: count)
      : KeyName.unknownMark
    bits =
      UInt64(UInt32(truncatingIfNeeded: count)) | KeyName.staticBit | mark << KeyName.markShift
  }

  init(borrowing text: UnsafeBufferPointer<UInt8>) {
    start = text.baseAddress ?? KeyName.nothing
    bits = UInt64(UInt32(clamping: text.count)) | KeyName.unknownMark << KeyName.markShift
  }

  /// A name that owns its text, or the parts of one that does (`ObservedKey.name`).
  init(owning start: UnsafePointer<UInt8>, count: UInt32, isStatic: Bool = false) {
    self.start = start
    bits =
      UInt64(count) | (isStatic ? KeyName.staticBit : 0) | KeyName.unknownMark << KeyName.markShift
  }

  @inlinable
  static var staticBit: UInt64 { 1 << 32 }

  /// How long the text is.
  var count: UInt32 { UInt32(truncatingIfNeeded: bits) }

  /// Whether the text lives as long as the program.
  var isStatic: Bool { bits & KeyName.staticBit != 0 }

  private static var nothing: UnsafePointer<UInt8> { ("" as StaticString).utf8Start }

  var text: String {
    String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }

  /// The key of the property.
  ///
  /// The name of a private one may say after a zero in which class it is.
  var key: String {
    let bytes = UnsafeBufferPointer(start: start, count: Int(count))
    return String(decoding: isStatic ? bytes.prefix { $0 != 0 } : bytes[...], as: UTF8.self)
  }

  /// Whether the name says in which class the property is.
  var isOfOneClass: Bool {
    isStatic && UnsafeBufferPointer(start: start, count: Int(count)).contains(0)
  }

  /// A name with the same text that can be kept.
  ///
  /// End it with `deallocate()`.
  func kept() -> KeyName { isStatic ? self : KeyName(owning: copiedText, count: count) }

  /// A name with the same text that is never deallocated.
  ///
  /// The text must not hold a zero, which would end the key.
  func immortal() -> KeyName { KeyName(owning: copiedText, count: count, isStatic: true) }

  private var copiedText: UnsafePointer<UInt8> {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(Int(count), 1))
    copy.initialize(from: start, count: Int(count))
    return UnsafePointer(copy)
  }

  func deallocate() {
    if !isStatic { start.deallocate() }
  }

  /// Whether both are the same text in memory, as literals of one program mostly are.
  @inline(__always)
  func isIdentical(to other: KeyName) -> Bool {
    start == other.start && count == other.count
  }

  /// Whether both have the same text.
  ///
  /// As with strings, the form of accents makes no difference.
  @inline(__always)
  @usableFromInline
  static func == (left: KeyName, right: KeyName) -> Bool {
    left.isIdentical(to: right) || left.hasSameText(as: right)
  }

  /// A hash of the text: names that are equal have equal hashes, wherever they lie in memory.
  var textHash: UInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
    var hash = UInt64(count)
    var all: UInt64 = 0
    func add(_ word: UInt64) {
      all |= word
      hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash &>> 32
    }
    if bytes.count >= 8 {
      for offset in stride(from: 0, to: bytes.count - 8, by: 8) {
        add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      // The last eight may have been read in part.
      add(bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
    } else if bytes.count >= 4 {
      let first = bytes.loadUnaligned(as: UInt32.self)
      let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self)
      add(UInt64(first) << 32 | UInt64(last))
    } else if let first = bytes.first, let last = bytes.last {
      add(UInt64(first) << 16 | UInt64(bytes[bytes.count / 2]) << 8 | UInt64(last))
    }
    return all & 0x8080_8080_8080_8080 == 0 ? UInt(truncatingIfNeeded: hash) : hashOfAllForms
  }

  /// The hash of a text that is not ASCII: accents have several forms, which `String` knows.
  ///
  /// A text in which only the signs of `asciiForm(of:)` are not ASCII equals one that is.
  @inline(never)
  private var hashOfAllForms: UInt {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.map(KeyName.asciiForm))
    return scalars.allSatisfy(\.isASCII)
      ? String(scalars).withKeyName(\.textHash) : UInt(bitPattern: text.hashValue)
  }

  /// The ASCII letter that is the same one to Unicode; there are no more than these.
  private static func asciiForm(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "\u{37E}": ";"  // the Greek question mark
    case "\u{1FEF}": "`"  // the Greek grave accent
    case "\u{212A}": "K"  // the sign of kelvins
    default: scalar
    }
  }

  // Out of line: it would take registers from those who never come to it (row: set, 1 observer).
  @inline(never)
  private func hasSameText(as other: KeyName) -> Bool {
    if count == other.count, kvo_has_same_bytes(start, other.start, Int(count)) { return true }
    let common = min(count, other.count)
    var index: UInt32 = 0
    while index < common, start[Int(index)] == other.start[Int(index)] { index += 1 }
    // If two keys differ in ASCII, nothing that follows makes them equal. Most do.
    if isASCII(at: index), other.isASCII(at: index) { return false }
    return text == other.text
  }

  /// Whether the byte at an index is a letter of its own.
  ///
  /// So is the end.
  private func isASCII(at index: UInt32) -> Bool {
    index == count || start[Int(index)] < 0x80
  }
}

extension String {
  func withKeyName<Result>(_ body: (KeyName) -> Result) -> Result {
    var text = self
    return text.withUTF8 { body(KeyName(borrowing: $0)) }
  }
}
