/// The difference of two texts in the form that `patch -p0` and `git apply -p0` accept.
struct UnifiedDiff {
  private let context = 3
  let path: String
  /// The former text, nil for a new file.
  let old: [UInt8]?
  let new: [UInt8]
  /// The ranges that differ, in the former text, in order.
  let edits: [Edit]

  /// The lines of the difference, with their endings.
  var bytes: [UInt8] {
    guard let old else { return creation }
    var output = Array("--- \(name)\n+++ \(name)\n".utf8)
    for hunk in hunks(of: old) { output += hunk }
    return output
  }

  /// A tab ends a name with spaces.
  private var name: String { path.contains(" ") ? path + "\t" : path }

  private var creation: [UInt8] {
    let lines = Self.lines(of: new)
    var output = Array("--- /dev/null\n+++ \(name)\n@@ -0,0 +1,\(lines.count) @@\n".utf8)
    for line in lines { output += Self.line("+", line) }
    return output
  }

  /// A run of lines that are replaced by others.
  private struct Change {
    var old: Range<Int>
    var new: [ArraySlice<UInt8>]
  }

  private func hunks(of old: [UInt8]) -> [[UInt8]] {
    let lines = Self.lines(of: old)
    let changes = self.changes(in: old, lines)
    var hunks: [[UInt8]] = []
    var shift = 0
    var index = 0
    while index < changes.count {
      var end = index + 1
      while end < changes.count,
        changes[end].old.lowerBound - changes[end - 1].old.upperBound <= 2 * context
      {
        end += 1
      }
      hunks.append(hunk(Array(changes[index..<end]), lines, &shift))
      index = end
    }
    return hunks
  }

  private func hunk(
    _ changes: [Change], _ lines: [ArraySlice<UInt8>], _ shift: inout Int
  ) -> [UInt8] {
    let start = max(0, changes[0].old.lowerBound - context)
    let end = min(lines.count, (changes.last?.old.upperBound ?? 0) + context)
    var body: [UInt8] = []
    var line = start
    var added = 0
    var removed = 0
    for change in changes {
      for index in line..<change.old.lowerBound { body += Self.line(" ", lines[index]) }
      for index in change.old { body += Self.line("-", lines[index]) }
      for text in change.new { body += Self.line("+", text) }
      added += change.new.count
      removed += change.old.count
      line = change.old.upperBound
    }
    for index in line..<end { body += Self.line(" ", lines[index]) }
    let oldCount = end - start
    let newCount = oldCount + added - removed
    let head = "@@ -\(Self.range(start, oldCount)) +\(Self.range(start + shift, newCount)) @@\n"
    shift += added - removed
    return Array(head.utf8) + body
  }

  /// The lines that the edits touch, before and after.
  private func changes(in old: [UInt8], _ lines: [ArraySlice<UInt8>]) -> [Change] {
    var groups: [(lines: Range<Int>, edits: [Edit])] = []
    for edit in edits {
      let touched = Self.touched(by: edit, lines)
      if let last = groups.last,
        touched.lowerBound < last.lines.upperBound
          || touched.isEmpty && touched.lowerBound == last.lines.lowerBound && last.lines.isEmpty
      {
        groups[groups.count - 1].edits.append(edit)
        groups[groups.count - 1].lines =
          last.lines.lowerBound..<max(last.lines.upperBound, touched.upperBound)
      } else {
        groups.append((touched, [edit]))
      }
    }
    let changes = groups.map { group in
      let start =
        group.lines.lowerBound < lines.count
        ? lines[group.lines.lowerBound].startIndex : old.count
      let end = group.lines.isEmpty ? start : lines[group.lines.upperBound - 1].endIndex
      var text: [UInt8] = []
      var offset = start
      for edit in group.edits {
        text += old[offset..<edit.range.lowerBound]
        text += edit.replacement.utf8
        offset = edit.range.upperBound
      }
      text += old[offset..<max(offset, end)]
      return trimmed(Change(old: group.lines, new: Self.lines(of: text)), lines)
    }
    return joined(changes)
  }

  /// Changes of lines that follow each other, as one.
  private func joined(_ changes: [Change]) -> [Change] {
    var joined: [Change] = []
    for change in changes {
      if let last = joined.last, last.old.upperBound == change.old.lowerBound {
        joined[joined.count - 1].old = last.old.lowerBound..<change.old.upperBound
        joined[joined.count - 1].new += change.new
      } else {
        joined.append(change)
      }
    }
    return joined
  }

  /// A change without the lines at either end that are the same before and after.
  private func trimmed(_ change: Change, _ lines: [ArraySlice<UInt8>]) -> Change {
    var change = change
    while let first = change.old.first, let text = change.new.first, lines[first] == text {
      change.old = (first + 1)..<change.old.upperBound
      change.new.removeFirst()
    }
    while let last = change.old.last, let text = change.new.last, lines[last] == text {
      change.old = change.old.lowerBound..<last
      change.new.removeLast()
    }
    return change
  }

  /// The lines that an edit changes: none, if it inserts whole lines in front of one.
  private static func touched(by edit: Edit, _ lines: [ArraySlice<UInt8>]) -> Range<Int> {
    let first = lines.partitioningIndex { $0.endIndex > edit.range.lowerBound }
    let insertsLines = edit.range.isEmpty && edit.replacement.utf8.last == .lineFeed
    if first < lines.count, insertsLines, lines[first].startIndex == edit.range.lowerBound {
      return first..<first
    }
    if first == lines.count {
      // Behind the last byte: the last line changes, unless it has an ending.
      guard let last = lines.last, last.last != .lineFeed else { return first..<first }
      return (first - 1)..<first
    }
    let end =
      edit.range.isEmpty
      ? first + 1 : lines.partitioningIndex { $0.startIndex >= edit.range.upperBound }
    return first..<max(end, first + 1)
  }

  private static func range(_ start: Int, _ count: Int) -> String {
    // A range without lines is named after the line before it.
    "\(count == 0 ? start : start + 1),\(count)"
  }

  static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: .lineFeed).map { $0 + 1 } ?? bytes.count
      lines.append(bytes[start..<end])
      start = end
    }
    return lines
  }

  private static func line(_ mark: String, _ text: ArraySlice<UInt8>) -> [UInt8] {
    let line = Array(mark.utf8) + text
    return text.last == .lineFeed ? line : line + Array("\n\\ No newline at end of file\n".utf8)
  }
}

extension Array {
  /// The first index whose element fulfills a condition that all after it fulfill as well.
  fileprivate func partitioningIndex(_ condition: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
