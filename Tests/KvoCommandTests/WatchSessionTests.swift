import Foundation
import Testing

@testable import KvoCommand

@Suite struct WatchSessionTests {
  @Test func `A file that cannot be read is reported once, and each save that is not JSON`() async {
    await #expect(processExitsWith: .success) {
      let pipe = Pipe()
      let output = Output(
        isColored: false, lines: .nullDevice, messages: pipe.fileHandleForWriting)
      let session = try WatchSession(WatchRequest(file: "f", keyPaths: ["title"]), output)
      for _ in 0..<2 { session.report(.noInput("f: is a directory.")) }
      for _ in 0..<2 { session.report(.data("f: not JSON.")) }
      session.report(.noInput("f: is a directory."))
      try session.take(["title": .null])
      session.report(.noInput("f: is a directory."))
      try pipe.fileHandleForWriting.close()
      let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      let lines = text.split(separator: "\n").map { $0.dropFirst("kvo: f: ".count).prefix(8) }
      #expect(lines == ["is a dir", "not JSON", "not JSON", "is a dir", "can be r", "is a dir"])
    }
  }
}
