/// A replacement of a range of bytes; an insertion, if the range is empty.
struct Edit: Equatable, Sendable {
  let range: Range<Int>
  let replacement: String

  static func remove(_ range: Range<Int>) -> Self { Self(range: range, replacement: "") }

  static func insert(_ text: String, at offset: Int) -> Self {
    Self(range: offset..<offset, replacement: text)
  }

  static func replace(_ range: Range<Int>, with text: String) -> Self {
    Self(range: range, replacement: text)
  }
}
