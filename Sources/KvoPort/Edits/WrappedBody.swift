import Foundation
internal import SwiftSyntax

/// The statements of a block inside of another one.
struct WrappedBody {
  let edits: [Edit]

  /// The block of a declaration in another one, which begins with `head`, and with statements around that
  /// one.
  ///
  /// Without a head, the statements stay in the outer block.
  init(
    _ body: CodeBlockSyntax, of declaration: Syntax, head: String?, before: [String],
    after: [String],
    in file: SourceFile
  ) {
    let open = body.leftBrace.end
    let close = body.rightBrace.start
    let first = body.statements.start
    let isMultiline =
      file.lines.line(at: open) < file.lines.line(at: first) && file.beginsLine(at: close)
    guard isMultiline else {
      edits = Self.edits(inLine: body, of: declaration, head, before, after, in: file)
      return
    }
    let outer = file.indentation(at: declaration.start)
    let inner = file.indentation(at: first)
    let unit =
      inner.hasPrefix(outer) && inner.count > outer.count
      ? String(inner.dropFirst(outer.count)) : "  "
    let texts = MultilineTexts(body)
    let heads = head.map { [$0] } ?? []
    let beginning = (before + heads).map { file.lineEnding + inner + $0 }.joined()
    var edits: [Edit] = [.insert(beginning, at: open)]
    let lines = (file.lines.line(at: open) + 1)..<file.lines.line(at: close)
    for line in lines where head != nil && !texts.contain(file.lines.start(ofLine: line)) {
      let range = file.lines.range(ofLine: line)
      // A line without text stays empty, and `#if` may begin in the first column.
      let text = file.bytes[range].drop(while: \.isSpaceOrTab)
      guard let firstByte = text.first, !firstByte.isLineEnd,
        firstByte != UInt8(ascii: "#") || text.startIndex > range.lowerBound
      else { continue }
      edits.append(.insert(unit, at: range.lowerBound))
    }
    let end = file.lines.start(ofLine: file.lines.line(at: close))
    let ending = (heads.map { _ in "}" } + after).map { inner + $0 + file.lineEnding }.joined()
    edits.append(.insert(ending, at: end))
    self.edits = edits
  }
}

extension WrappedBody {
  /// The block stays on its line, unless there are statements around the inner one.
  fileprivate static func edits(
    inLine body: CodeBlockSyntax, of declaration: Syntax, _ head: String?, _ before: [String],
    _ after: [String], in file: SourceFile
  ) -> [Edit] {
    let open = body.leftBrace.end
    let close = body.rightBrace.start
    if let head, before.isEmpty, after.isEmpty {
      return [.insert(" " + head, at: open), .insert("} ", at: close)]
    }
    let outer = file.indentation(at: declaration.start)
    let inner = outer + (outer.contains("\t") ? "\t" : outer.count >= 8 ? "    " : "  ")
    // Comments on either side stay.
    let isSpace = { (byte: UInt8) in byte.isSpaceOrTab || byte.isLineEnd }
    let first = file.bytes[open...].firstIndex { !isSpace($0) } ?? open
    let last = (file.bytes[..<close].lastIndex { !isSpace($0) } ?? close - 1) + 1
    let heads = head.map { [$0 + " "] } ?? [""]
    let beginning = (before + heads).map { file.lineEnding + inner + $0 }.joined()
    let ending = after.map { file.lineEnding + inner + $0 }.joined()
    let isLineComment = file.text(body.statements.end..<last).contains("//")
    let end = head == nil ? "" : isLineComment ? file.lineEnding + inner + "}" : " }"
    return [
      .replace(open..<first, with: beginning),
      .replace(last..<close, with: end + ending + file.lineEnding + outer),
    ]
  }
}

/// The ranges of string literals and comments of several lines, whose lines must not move.
private struct MultilineTexts {
  private var ranges: [Range<Int>] = []

  init(_ node: some SyntaxProtocol) {
    let finder = LiteralFinder(viewMode: .sourceAccurate)
    finder.walk(node)
    ranges = finder.ranges
  }

  func contain(_ offset: Int) -> Bool {
    ranges.contains { $0.lowerBound < offset && offset <= $0.upperBound }
  }
}

private final class LiteralFinder: SyntaxVisitor {
  var ranges: [Range<Int>] = []

  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if node.openingQuote.tokenKind == .multilineStringQuote { ranges.append(node.range) }
    return .visitChildren
  }

  override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
    var offset = token.position.utf8Offset
    for piece in token.leadingTrivia {
      let length = piece.sourceLength.utf8Length
      switch piece {
      case .blockComment, .docBlockComment: ranges.append(offset..<(offset + length))
      default: break
      }
      offset += length
    }
    return .visitChildren
  }
}
