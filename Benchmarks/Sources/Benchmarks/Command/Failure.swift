import Foundation

/// Writes a message to standard error and ends the program.
func fail(_ message: String, status: Int32 = 1) -> Never {
  FileHandle.standardError.write(Data("benchmarks: \(message)\n".utf8))
  exit(status)
}
