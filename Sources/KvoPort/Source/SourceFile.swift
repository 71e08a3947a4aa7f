internal import SwiftParser
internal import SwiftSyntax

/// A parsed file.
final class SourceFile: Sendable {
  let path: String
  let bytes: [UInt8]
  let tree: SourceFileSyntax
  let lines: LineTable
  let skips: SkippedRanges
  let nodes: SourceNodes
  /// The folders of the path, which distinguish types of one name in different targets.
  let folders: [Substring]

  init(_ text: SourceText) {
    path = text.path
    bytes = text.bytes
    tree = Self.parse(text.bytes)
    lines = LineTable(text.bytes)
    folders = text.path.split(separator: "/").dropLast()
    skips = SkippedRanges(tree, lines)
    nodes = SourceNodes(tree, skips)
  }

  static func parse(_ bytes: [UInt8]) -> SourceFileSyntax {
    bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
  }

  /// Whether the whole file is Swift.
  var parses: Bool { !tree.hasError }

  /// The offset of the first text that is not Swift, nil if all is.
  var firstError: Int? {
    guard tree.hasError else { return nil }
    var node = Syntax(tree)
    while let child = node.children(viewMode: .all).first(where: \.hasError) { node = child }
    guard let token = node.as(TokenSyntax.self), token.presence == .missing else {
      return node.start
    }
    return token.previousToken(viewMode: .sourceAccurate)?.end ?? 0
  }

  /// The line ending of the file.
  var lineEnding: String {
    guard let end = bytes.firstIndex(where: \.isLineEnd) else { return "\n" }
    guard bytes[end] == .carriageReturn else { return "\n" }
    return end + 1 < bytes.count && bytes[end + 1] == .lineFeed ? "\r\n" : "\r"
  }

  /// The white space at the beginning of the line that contains an offset.
  func indentation(at offset: Int) -> String {
    let line = lines.line(at: offset)
    let text = bytes[start(ofLine: line)..<lines.range(ofLine: line).upperBound]
    return String(decoding: text.prefix(while: \.isSpaceOrTab), as: UTF8.self)
  }

  /// Whether only white space precedes an offset on its line.
  func beginsLine(at offset: Int) -> Bool {
    bytes[start(ofLine: lines.line(at: offset))..<offset].allSatisfy(\.isSpaceOrTab)
  }

  /// The beginning of a line, behind a mark of the byte order.
  private func start(ofLine line: Int) -> Int {
    line == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : lines.start(ofLine: line)
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The line and column of an offset, from 1; columns count bytes, as those of the compiler do.
  func position(of offset: Int) -> (line: Int, column: Int) {
    let line = lines.line(at: offset)
    return (line + 1, offset - lines.start(ofLine: line) + 1)
  }
}

extension SyntaxProtocol {
  /// The offset of the first byte, without leading trivia.
  var start: Int { positionAfterSkippingLeadingTrivia.utf8Offset }

  /// The offset behind the last byte, without trailing trivia.
  var end: Int { endPositionBeforeTrailingTrivia.utf8Offset }

  /// The bytes without trivia on either side.
  var range: Range<Int> { start..<max(start, end) }
}
