// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Reads decisions from the bytes of an input.
///
/// Behind the end there are zeros without end, so that every input means something, and a shorter
/// one nearly the same.
public struct InputReader {
  private var rest: ArraySlice<UInt8>

  public init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(Array(bytes)) }

  public var isAtEnd: Bool { rest.isEmpty }

  public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  public mutating func bool() -> Bool { byte() & 1 == 1 }

  /// A number less than `limit`, which is at most 256.
  public mutating func number(below limit: Int) -> Int { Int(byte()) % limit }

  public mutating func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> Value {
    var value: Value = 0
    for place in 0..<(Value.bitWidth / 8) {
      value |= Value(truncatingIfNeeded: byte()) << Value(truncatingIfNeeded: place * 8)
    }
    return value
  }

  public mutating func element<Element>(of elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  /// As many as the next byte says, less than `limit`.
  public mutating func array<Element>(
    below limit: Int, _ read: (inout InputReader) -> Element
  ) -> [Element] {
    (0..<number(below: limit)).map { _ in read(&self) }
  }
}
