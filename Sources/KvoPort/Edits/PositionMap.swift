/// The offsets of a file's code before and after its edits.
struct PositionMap: Sendable {
  private let old: LineTable
  private let new: LineTable
  private let edits: [Edit]

  init(_ file: ProgramPort.RewrittenFile) {
    old = LineTable(file.old ?? [])
    new = LineTable(file.new)
    edits = file.edits
  }

  /// Moves a site to the code that it is about or, if that was removed, to the one behind it.
  func move(_ site: inout Site) {
    let offset = self.offset(of: old.start(ofLine: site.line - 1) + site.column - 1)
    let line = new.line(at: offset)
    (site.line, site.column) = (line + 1, offset - new.start(ofLine: line) + 1)
  }

  private func offset(of offset: Int) -> Int {
    var shift = 0
    for edit in edits where edit.range.lowerBound <= offset {
      guard edit.range.upperBound <= offset else { return edit.range.lowerBound + shift }
      shift += edit.replacement.utf8.count - edit.range.count
    }
    return offset + shift
  }
}
