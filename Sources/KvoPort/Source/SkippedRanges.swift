internal import SwiftSyntax

/// The declarations and statements that a comment `// kvo:port:skip` leaves alone.
struct SkippedRanges: Sendable {
  private static let comment = "kvo:port:skip"

  private let ranges: [Range<Int>]

  init(_ tree: SourceFileSyntax, _ lines: LineTable) {
    let comments = Self.comments(in: tree)
    guard !comments.isEmpty else {
      ranges = []
      return
    }
    let finder = ItemFinder(viewMode: .sourceAccurate)
    finder.walk(tree)
    ranges = comments.compactMap { comment in
      Self.range(of: comment, among: finder.items, lines)
    }
  }

  func contains(_ node: some SyntaxProtocol) -> Bool {
    ranges.contains { $0.contains(node.start) }
  }

  private static func comments(in tree: SourceFileSyntax) -> [Int] {
    var offsets: [Int] = []
    for token in tree.tokens(viewMode: .sourceAccurate) {
      for (trivia, start) in [
        (token.leadingTrivia, token.position),
        (token.trailingTrivia, token.endPositionBeforeTrailingTrivia),
      ] {
        var offset = start.utf8Offset
        for piece in trivia {
          if case .lineComment(let text) = piece, text.contains(comment) { offsets.append(offset) }
          offset += piece.sourceLength.utf8Length
        }
      }
    }
    return offsets
  }

  /// The outermost item that begins on the line of a comment, or that ends there, or the one on the next
  /// line with code, or the innermost that contains it.
  private static func range(
    of comment: Int, among items: [Range<Int>], _ lines: LineTable
  ) -> Range<Int>? {
    let line = lines.line(at: comment)
    let sameLine = items.filter { $0.lowerBound < comment && lines.line(at: $0.lowerBound) == line }
    if let item = sameLine.max(by: { $0.count < $1.count }) { return item }
    let ending = items.filter { $0.upperBound <= comment && lines.line(at: $0.upperBound) == line }
    if let item = ending.max(by: { $0.count < $1.count }) { return item }
    let around = items.filter { $0.contains(comment) }.min { $0.count < $1.count }
    let next = items.filter { $0.lowerBound > comment }
      .min { ($0.lowerBound, -$0.count) < ($1.lowerBound, -$1.count) }
    guard let next, around.map({ $0.contains(next.lowerBound) }) ?? true else { return around }
    return next
  }
}

/// Finds the ranges of declarations and statements.
private final class ItemFinder: SyntaxVisitor {
  var items: [Range<Int>] = []

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    items.append(node.range)
    return .visitChildren
  }

  override func visit(_ node: MemberBlockItemSyntax) -> SyntaxVisitorContinueKind {
    items.append(node.range)
    return .visitChildren
  }
}
