#if GObject && os(Linux)
  import Foundation
  import Testing

  extension GObjectTests {
    /// Each runs the program `GLibMainLoopProgram`, whose main thread is in GLib's main loop.
    @Suite("Main loop")
    struct MainLoopTests {
      /// The output of the program.
      private func lines(_ arguments: String...) throws -> [String] {
        let program = Process()
        // SwiftPM puts it beside the tests.
        program.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
          .appending(path: "GLibMainLoopProgram")
        program.arguments = arguments
        let output = Pipe()
        program.standardOutput = output
        try program.run()
        let text = String(
          decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
        return text.split(separator: "\n").map(String.init)
      }

      @Test("P40: under GLib's main loop the main actor is served, in the order of its queue")
      func served() throws {
        #expect(
          try lines() == [
            "observed 1.0", "set on another thread", "observed 2.0", "task", "block",
            "source of GLib's",
          ])
      }

      @Test("unserved, only a change from another thread waits")
      func unserved() throws {
        #expect(try lines("unserved") == ["observed 1.0", "set on another thread", "timeout"])
      }
    }
  }
#endif
