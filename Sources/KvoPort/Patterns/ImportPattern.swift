internal import SwiftSyntax

/// Imports the library in files that use one of its names.
enum ImportPattern: Pattern {
  static let module = "KeyValueObservingFoundation"
  private static let names: Set<String> = [
    "NSKeyValueObservation", "NSKeyValueObservedChange", "NSKeyValueObservingOptions",
    "NSKeyValueChangeKey", "NSKeyValueChange", "NSKeyValueSetMutationKind", "KeyValueObservable",
    "NSKeyValueObserving",
  ]

  static func apply(to port: FilePort) {
    let namesLibrary = port.nodes.typeNames.contains { names.contains($0.name.text) }
    guard port.usesLibrary || namesLibrary, port.options.includes(.import) else { return }
    let isImported = port.nodes.imports.contains { node in
      node.path.first?.name.text.hasPrefix("KeyValueObserving") == true
    }
    if isImported { return }
    let ending = port.file.lineEnding
    let unconditional = port.nodes.imports.filter {
      $0.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
    }
    if let last = unconditional.last {
      let end = port.file.endOfComments(behind: last)
      let line = port.file.lines.range(ofLine: port.file.lines.line(at: end))
      let rest = port.file.bytes[end..<line.upperBound]
      let isAlone = rest.last.map(\.isLineEnd) ?? false
      let text = "import \(module)"
      let edit: Edit
      if !port.file.isOnlyStatementOnLine(last) {
        edit = .insert("; \(text)", at: last.end)
      } else if isAlone {
        edit = .insert(port.file.indentation(at: last.start) + text + ending, at: line.upperBound)
      } else {
        edit = .insert(ending + text, at: line.upperBound)
      }
      port.addImport(edit, at: last)
    } else {
      let offset = port.file.endOfHeader
      port.addImport(.insert("import \(module)\(ending)\(ending)", at: offset), at: port.file.tree)
    }
  }
}

extension SourceFile {
  /// Whether no other statement follows on the line of an import.
  fileprivate func isOnlyStatementOnLine(_ node: ImportDeclSyntax) -> Bool {
    let end = endOfComments(behind: node)
    let next = bytes[end...].first { !$0.isSpaceOrTab }
    return next.map(\.isLineEnd) ?? true
  }

  /// The offset behind an import and the comments that begin on its line; they may have several lines.
  fileprivate func endOfComments(behind node: ImportDeclSyntax) -> Int {
    var offset = node.end
    var end = offset
    let next = node.lastToken(viewMode: .sourceAccurate)?.nextToken(viewMode: .sourceAccurate)
    for piece in node.trailingTrivia + (next?.leadingTrivia ?? []) {
      if piece.isNewline { break }
      offset += piece.sourceLength.utf8Length
      if piece.isComment { end = offset }
    }
    return end
  }

  /// The offset behind the comments at the top of the file.
  fileprivate var endOfHeader: Int {
    guard let first = tree.firstToken(viewMode: .sourceAccurate) else { return bytes.count }
    var offset = first.position.utf8Offset
    var end = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : offset
    var newlines = 0
    var hasComment = false
    for piece in first.leadingTrivia {
      offset += piece.sourceLength.utf8Length
      switch piece {
      case .newlines(let count), .carriageReturns(let count), .carriageReturnLineFeeds(let count):
        newlines += count
        if newlines > 1, hasComment { end = offset }
      case .spaces, .tabs: break
      default:
        hasComment = true
        newlines = 0
      }
    }
    if bytes.starts(with: Array("#!".utf8)) {
      return lines.range(ofLine: 0).upperBound
    }
    return end
  }
}
