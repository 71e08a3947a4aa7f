import Foundation

/// The destination of the command's output.
///
/// Every line is written immediately, so that the reader of a pipe receives it immediately.
struct Output: Sendable {
  let isColored: Bool
  private let lines: FileHandle
  private let messages: FileHandle

  init(isColored: Bool, lines: FileHandle, messages: FileHandle) {
    self.isColored = isColored
    self.lines = lines
    self.messages = messages
  }

  /// Standard output and error.
  ///
  /// Colors are for a terminal that wants them (no-color.org).
  static var standard: Output {
    let environment = ProcessInfo.processInfo.environment
    let wantsColor = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    return Output(
      isColored: wantsColor && isatty(FileHandle.standardOutput.fileDescriptor) == 1,
      lines: .standardOutput, messages: .standardError)
  }

  /// Writes a line of the result, and ends the command if the reader has gone.
  func print(_ line: String) {
    do {
      try lines.write(contentsOf: Data((line + "\n").utf8))
    } catch {
      complain("the output cannot be written: \(error.localizedDescription)")
      exit(74)
    }
  }

  /// Writes a message that is not a result.
  ///
  /// It may quote a document, so control characters for a terminal are replaced.
  func complain(_ message: String) {
    let harmless = String(
      String.UnicodeScalarView(
        message.unicodeScalars.map {
          $0.properties.generalCategory == .control && $0 != "\n" ? "\u{fffd}" : $0
        }))
    try? messages.write(contentsOf: Data("kvo: \(harmless)\n".utf8))
  }

  func colored(_ text: String, _ color: Color) -> String {
    isColored ? "\u{1b}[\(color.rawValue)m\(text)\u{1b}[0m" : text
  }

  enum Color: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }
}
