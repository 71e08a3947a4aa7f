import Foundation
import Testing

/// The output of the guide's code in a test.
final class Transcript: Sendable {
  @TaskLocal static var current: Transcript?

  // Code of the guide prints on the thread that runs it.
  nonisolated(unsafe) private(set) var lines: [String] = []
  nonisolated(unsafe) private var kept: [AnyObject] = []

  func append(_ line: String) { lines.append(line) }

  /// Keeps an object of the guide until all has been printed.
  ///
  /// Optimized, one whose lifetime is merely extended is taken apart, and what it holds ends early.
  func keep(_ object: AnyObject) { kept.append(object) }
}

/// Takes the place of Swift's own `print` in the code of the guide, for which it needs the same
/// parameters.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  Transcript.current?.append(items.map { "\($0)" }.joined(separator: separator))
}

/// Runs code that the guide shows, and expects it to print what its comments say: each `// prints`
/// stands for one line, in this order.
///
/// - `name`: The name with which the code is marked in the same file.
func expectPrints(
  _ name: String, in file: String = #filePath, at location: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) throws {
  let transcript = Transcript()
  try Transcript.$current.withValue(transcript, operation: body)
  try expect(transcript, toPrintAs: name, in: file, at: location)
}

/// The same for code that suspends.
func expectPrints(
  _ name: String, in file: String = #filePath, at location: SourceLocation = #_sourceLocation,
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async throws {
  let transcript = Transcript()
  try await Transcript.$current.withValue(transcript, operation: body)
  try expect(transcript, toPrintAs: name, in: file, at: location)
}

private func expect(
  _ transcript: Transcript, toPrintAs name: String, in file: String, at location: SourceLocation
) throws {
  let snippets = try Guide.snippets(in: URL(filePath: file))
  let code = try #require(snippets[name], sourceLocation: location)
  let promised = code.split(separator: "\n").compactMap { line in
    line.range(of: "// prints ").map { String(line[$0.upperBound...]) }
  }
  #expect(transcript.lines == promised, sourceLocation: location)
}
