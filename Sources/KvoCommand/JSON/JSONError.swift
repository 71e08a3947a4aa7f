/// Why a document is not JSON, and where.
struct JSONError: Error, Equatable, CustomStringConvertible {
  /// Counted from 1.
  let line: Int
  /// Counted from 1, in characters as an editor shows them.
  let column: Int
  let problem: String

  init(_ problem: String, at offset: Int, in bytes: [UInt8]) {
    let before = bytes.prefix(offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
    self.problem = problem
  }

  var description: String { "line \(line), column \(column): \(problem)" }
}
