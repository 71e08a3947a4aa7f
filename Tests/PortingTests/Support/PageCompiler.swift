import Foundation
import Testing

/// Compiles the programs of pages against the modules that these tests are built with.
enum PageCompiler {
  /// The folder of the test program and the modules.
  private static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

  /// Whether the modules can be found from here, as they can be on Linux, and are built without a sanitizer,
  /// which would have nothing to find in a compiler.
  static let isAvailable =
    FileManager.default.fileExists(
      atPath: products.appending(path: "Modules/KeyValueObservingCore.swiftmodule").path)
    && dlsym(nil, "__tsan_init") == nil && dlsym(nil, "__asan_init") == nil

  /// Returns the errors, each with the page and the line.
  static func errors(of programs: [PageProgram]) async throws -> [String] {
    try await withFiles(of: programs) { files, _ in
      try await run("swiftc", arguments + ["-emit-sil", "-o", "/dev/null"] + files).errors
        .filter { $0.contains("error:") }
    }
  }

  /// Returns the lines that each program prints.
  static func output(of programs: [PageProgram]) async throws -> [[String]] {
    try await withFiles(of: programs) { files, folder in
      let main = folder.appending(path: "Main.swift").path
      let calls = programs.indices.map { number in
        """
        do { try await Program\(number).run() } catch { print("threw", error) }
        print("\(separator)")
        """
      }
      let text = "@main enum Main { @MainActor static func main() async {\n"
      try (text + calls.joined(separator: "\n") + "\n} }\n")
        .write(toFile: main, atomically: true, encoding: .utf8)
      let program = folder.appending(path: "pages").path
      let linking = try ["-o", program] + objects()
      let errors = try await run("swiftc", arguments + linking + files + [main]).errors
      #expect(errors == [])
      let output = try await run(program, []).output.split(separator: separator)
      return output.map { $0.filter { !$0.isEmpty } }
    }
  }

  private static let separator = "--- the end of a program"

  private static var arguments: [String] {
    let plugin = products.appending(path: "KeyValueObservingMacros-tool").path
    let map = products.appending(path: "CKeyValueObserving.build/module.modulemap").path
    return [
      "-swift-version", "6", "-parse-as-library", "-wmo", "-module-name", "Pages",
      "-suppress-warnings", "-diagnostic-style", "llvm",
      "-I", products.appending(path: "Modules").path, "-Xcc", "-fmodule-map-file=\(map)",
      "-load-plugin-executable", "\(plugin)#KeyValueObservingMacros",
    ]
  }

  /// The object files of the modules that pages import.
  private static func objects() throws -> [String] {
    let modules = [
      "CKeyValueObserving", "KeyValueObservingCore", "KeyValueObserving",
      "KeyValueObservingFoundation",
    ]
    return try modules.flatMap { module in
      let folder = products.appending(path: "\(module).build")
      return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".o") }.map { folder.appending(path: $0).path }
    }
  }

  private static func withFiles<Result>(
    of programs: [PageProgram], _ body: ([String], URL) async throws -> Result
  ) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files: [String] = []
    for (number, program) in programs.enumerated() {
      let file = folder.appending(path: "Program\(number).swift")
      try program.text(number: number).write(to: file, atomically: true, encoding: .utf8)
      files.append(file.path)
    }
    return try await body(files, folder)
  }

  /// Returns the lines that a command writes.
  private static func run(
    _ command: String, _ arguments: [String]
  ) async throws -> (output: [String], errors: [String]) {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [command] + arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Both at the same time, since a full pipe stops the command.
    async let written = lines(of: output)
    return await (written, lines(of: errors))
  }

  /// A thread of its own waits, not one of those that run tests.
  private static func lines(of pipe: Pipe) async -> [String] {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        let lines = String(decoding: data, as: UTF8.self).components(separatedBy: "\n")
        continuation.resume(returning: lines.filter { !$0.isEmpty })
      }
    }
  }
}
