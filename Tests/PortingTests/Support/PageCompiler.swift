import Foundation
import Testing

/// Compiles the programs of pages against the modules that these tests are built with.
enum PageCompiler {
  /// Returns the errors, each with the page and the line.
  static func errors(of programs: [PageProgram]) async throws -> [String] {
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let modules = products.appending(path: "Modules").path
    try #require(FileManager.default.fileExists(atPath: modules), "\(modules) does not exist")

    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files: [String] = []
    for (number, program) in programs.enumerated() {
      let file = folder.appending(path: "Program\(number).swift")
      try program.text.write(to: file, atomically: true, encoding: .utf8)
      files.append(file.path)
    }
    let plugin = products.appending(path: "KeyValueObservingMacros-tool").path
    let map = products.appending(path: "CKeyValueObserving.build/module.modulemap").path
    let arguments = [
      "swiftc", "-swift-version", "6", "-parse-as-library", "-wmo", "-emit-sil", "-o", "/dev/null",
      "-module-name", "Pages", "-suppress-warnings", "-diagnostic-style", "llvm", "-I", modules,
      "-Xcc", "-fmodule-map-file=\(map)",
      "-load-plugin-executable", "\(plugin)#KeyValueObservingMacros",
    ]
    return try await output(of: arguments + files).split(separator: "\n").map(String.init)
      .filter { $0.contains("error:") }
  }

  /// Returns what a command writes to its standard error.
  private static func output(of arguments: [String]) async throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = pipe
    try process.run()
    // A thread of its own waits, not one of those that run tests.
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        continuation.resume(returning: String(decoding: data, as: UTF8.self))
      }
    }
  }
}
