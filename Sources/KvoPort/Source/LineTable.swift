/// The beginnings of the lines of a text, in bytes.
struct LineTable: Sendable {
  private let starts: [Int]
  private let end: Int

  init(_ bytes: [UInt8]) {
    var starts = [0]
    for (offset, byte) in bytes.enumerated() {
      let isReturn =
        byte == .carriageReturn
        && (offset + 1 == bytes.count || bytes[offset + 1] != .lineFeed)
      if byte == .lineFeed || isReturn { starts.append(offset + 1) }
    }
    self.starts = starts
    end = bytes.count
  }

  /// The number of the line that contains an offset, from 0.
  func line(at offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// The bytes of a line, with its ending.
  func range(ofLine line: Int) -> Range<Int> {
    starts[line]..<(line + 1 < starts.count ? starts[line + 1] : end)
  }

  func start(ofLine line: Int) -> Int { starts[line] }
}

extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let tab = UInt8(ascii: "\t")

  var isSpaceOrTab: Bool { self == .space || self == .tab }

  var isLineEnd: Bool { self == .lineFeed || self == .carriageReturn }
}
