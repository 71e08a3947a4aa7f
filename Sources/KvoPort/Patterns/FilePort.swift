internal import SwiftSyntax

/// The port of one file: its sites, and the edits that are made.
final class FilePort {
  let file: SourceFile
  let index: Index
  let options: PortOptions
  private(set) var edits = EditSet()
  private(set) var sites: [Site] = []
  /// Whether the file uses a name of the library after the run.
  var usesLibrary = false
  private(set) lazy var wrappers = Wrappers(file, index, isRemoved: isRemoved)

  init(_ file: SourceFile, _ index: Index, _ options: PortOptions) {
    self.file = file
    self.index = index
    self.options = options
  }

  var nodes: SourceNodes { file.nodes }

  /// Adds a site that is rewritten, with a note about behavior that may differ, or a warning of it.
  func rewrite(
    _ pattern: PatternName, at node: some SyntaxProtocol, _ edits: [Edit], note: String? = nil,
    warning: String? = nil, isOwn: Bool = true, usesLibrary: Bool = true
  ) {
    guard options.includes(pattern) else { return }
    guard self.edits.add(edits) else { return warn(pattern, at: node, Messages.conflict) }
    if usesLibrary { self.usesLibrary = true }
    let message = warning ?? note
    add(
      Finding(pattern: pattern, status: message == nil ? .rewritten : .review, isOwn: isOwn),
      at: node, isEdited: true, message, isNote: warning == nil)
  }

  /// Adds a site that needs nothing.
  func leave(
    _ pattern: PatternName, at node: some SyntaxProtocol, note: String? = nil, isOwn: Bool = true,
    usesLibrary: Bool = true
  ) {
    guard options.includes(pattern) else { return }
    if usesLibrary { self.usesLibrary = true }
    add(
      Finding(pattern: pattern, status: note == nil ? .unchanged : .review, isOwn: isOwn), at: node,
      note, isNote: true)
  }

  /// Adds a site that a person has to change, or to review.
  func warn(
    _ pattern: PatternName, at node: some SyntaxProtocol, _ message: String,
    _ status: Site.Status = .manual, isOwn: Bool = true
  ) {
    guard options.includes(pattern) else { return }
    add(Finding(pattern: pattern, status: status, isOwn: isOwn), at: node, message, isNote: false)
  }

  /// Adds the import of the library, in front of all other edits at its position.
  func addImport(_ edit: Edit, at node: some SyntaxProtocol) {
    edits.addFirst(edit)
    add(
      Finding(pattern: .import, status: .rewritten, isOwn: true), at: node, isEdited: true, nil,
      isNote: false)
  }

  /// Whether an edit replaces a range.
  func isRemoved(_ range: Range<Int>) -> Bool {
    edits.edits.contains {
      $0.range.lowerBound <= range.lowerBound && range.upperBound <= $0.range.upperBound
    }
  }

  /// Whether an edit is made in a range.
  func hasEdit(in range: Range<Int>) -> Bool {
    edits.edits.contains { $0.range.overlaps(range) || range.contains($0.range.lowerBound) }
  }

  /// Removes all edits, because the result would not be Swift.
  func takeBackEdits() {
    edits = EditSet()
    for index in sites.indices where sites[index].isEdited { sites[index].status = .manual }
  }

  private struct Finding {
    let pattern: PatternName
    let status: Site.Status
    let isOwn: Bool
  }

  private func add(
    _ finding: Finding, at node: some SyntaxProtocol, isEdited: Bool = false, _ message: String?,
    isNote: Bool
  ) {
    let position = file.position(of: node.start)
    sites.append(
      Site(
        path: file.path, line: position.line, column: position.column, pattern: finding.pattern,
        status: finding.status, isOwn: finding.isOwn, isEdited: isEdited, isNote: isNote,
        message: message))
  }

  // MARK: Edits of declarations

  /// The attributes and modifiers of a declaration that are about Objective-C.
  func objectiveCWords(of node: Syntax) -> [any SyntaxProtocol] {
    let attributes = node.asProtocol((any WithAttributesSyntax).self)?.attributes.all ?? []
    let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
    return attributes.filter { ["objc", "nonobjc"].contains($0.baseName) }
      + modifiers.filter { $0.name.tokenKind == .keyword(.dynamic) }
  }

  /// Removes attributes and modifiers with the white space behind them.
  ///
  /// Those that have lines of their own go with their lines.
  func removals(of nodes: [any SyntaxProtocol]) -> [Edit] {
    var ranges: [Range<Int>] = []
    for range in nodes.map(\.range).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = ranges.last,
        file.bytes[last.upperBound..<range.lowerBound].allSatisfy(\.isSpaceOrTab)
      {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges.map { .remove(withSpaces($0)) }
  }

  /// The range of an attribute or a modifier with the white space behind it.
  ///
  /// If it has a line to itself, the indentation in front of it is that of the next line afterwards, so
  /// that the declaration still begins where the range does.
  private func withSpaces(_ range: Range<Int>) -> Range<Int> {
    let bytes = file.bytes
    var end = skipSpaces(from: range.upperBound)
    guard end == bytes.count || bytes[end].isLineEnd else { return range.lowerBound..<end }
    if file.beginsLine(at: range.lowerBound) {
      let next = file.lines.range(ofLine: file.lines.line(at: range.upperBound)).upperBound
      end = skipSpaces(from: next)
      let isEmpty = end == bytes.count || bytes[end].isLineEnd
      return isEmpty ? lines(of: range) : range.lowerBound..<end
    }
    var start = range.lowerBound
    while start > 0, bytes[start - 1].isSpaceOrTab { start -= 1 }
    return start..<range.upperBound
  }

  private func skipSpaces(from offset: Int) -> Int {
    offset + file.bytes[offset...].prefix(while: \.isSpaceOrTab).count
  }

  private func lines(of range: Range<Int>) -> Range<Int> {
    let lines = file.lines
    let last = lines.range(ofLine: lines.line(at: range.upperBound))
    return lines.start(ofLine: lines.line(at: range.lowerBound))..<last.upperBound
  }

  /// The lines of a declaration, with the comment above it and an empty line behind it.
  func linesOf(_ node: some SyntaxProtocol) -> Range<Int> {
    let start = startOfComment(above: node)
    let end = skipSpaces(from: node.end)
    guard file.beginsLine(at: start), end == file.bytes.count || file.bytes[end].isLineEnd else {
      return withSpaces(node.range)
    }
    let range = lines(of: start..<node.end)
    if range.upperBound == file.bytes.count { return range }
    let next = file.lines.range(ofLine: file.lines.line(at: range.upperBound))
    guard next.lowerBound == range.upperBound,
      file.bytes[next].allSatisfy({ $0.isSpaceOrTab || $0.isLineEnd })
    else { return range }
    return range.lowerBound..<next.upperBound
  }

  /// The beginning of the comment that ends on the line above a declaration, or of the declaration.
  private func startOfComment(above node: some SyntaxProtocol) -> Int {
    var (offset, start) = (node.start, node.start)
    for piece in node.leadingTrivia.reversed() {
      offset -= piece.sourceLength.utf8Length
      switch piece {
      case .spaces, .tabs, .newlines(1), .carriageReturnLineFeeds(1), .carriageReturns(1): continue
      case .lineComment(let text) where text.hasPrefix("// MARK"): return start
      case .lineComment, .blockComment, .docLineComment, .docBlockComment: start = offset
      default: return start
      }
    }
    return start
  }

  /// A line with an attribute in front of a declaration, with the same indentation.
  func lineBefore(_ node: some SyntaxProtocol, _ text: String) -> Edit {
    guard file.beginsLine(at: node.start) else { return .insert(text + " ", at: node.start) }
    return .insert(
      text + file.lineEnding + file.indentation(at: node.start), at: node.start)
  }
}
