import Foundation
import Testing

/// The built command, running on a document of its own.
final class KvoProcess {
  /// Long enough for a busy machine: only a test that fails waits for it.
  private static let patience = Duration.seconds(60)

  private let process = Process()
  private var output: LineReader
  private var messages: LineReader

  convenience init(_ arguments: String...) throws {
    try self.init(arguments: arguments)
  }

  /// Starts the built command, or a copy of it elsewhere.
  init(_ copy: URL? = nil, arguments: [String]) throws {
    let (lines, errors) = (Pipe(), Pipe())
    process.executableURL = try copy ?? Self.executable()
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = lines
    process.standardError = errors
    output = LineReader(lines, Self.patience)
    messages = LineReader(errors, Self.patience)
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// The next line on standard output, nil after the last.
  func nextLine() throws -> String? { try output.next() }

  /// The next line on standard error, nil after the last.
  func nextMessage() throws -> String? { try messages.next() }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// The remaining output and messages, and the status.
  func end() throws -> (lines: [String], messages: [String], status: Int32) {
    let rest = (try output.rest(), try messages.rest())
    process.waitUntilExit()
    // An unhandled signal must not be taken for a status.
    let status =
      process.terminationReason == .exit
      ? process.terminationStatus : -process.terminationStatus
    return (rest.0, rest.1, status)
  }

  /// The command is built beside the tests.
  static func executable() throws -> URL {
    let bundles = [Bundle.main] + Bundle.allBundles
    let candidates = bundles.map {
      $0.bundleURL.pathExtension == "xctest"
        ? $0.bundleURL.deletingLastPathComponent() : $0.bundleURL
    }
    return try #require(
      candidates.map { $0.appending(path: "kvo") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) })
  }
}

/// Reads lines from a pipe and gives up when none comes.
private struct LineReader {
  private let pipe: Pipe
  private let patience: Duration
  private var buffer: [UInt8] = []
  private var hasEnded = false

  init(_ pipe: Pipe, _ patience: Duration) {
    self.pipe = pipe
    self.patience = patience
  }

  mutating func next() throws -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      if hasEnded { return nil }
      try fill()
    }
  }

  mutating func rest() throws -> [String] {
    var lines: [String] = []
    while let line = try next() { lines.append(line) }
    return lines
  }

  private mutating func fill() throws {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(patience.components.seconds * 1000)
    guard poll(&wait, 1, milliseconds) > 0 else { throw NothingCame() }
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &chunk, chunk.count)
    if count <= 0 { hasEnded = true } else { buffer += chunk[..<count] }
  }

  struct NothingCame: Error {}
}
