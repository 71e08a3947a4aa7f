import Foundation
import Synchronization
import Testing

@testable import KvoPort

/// A program in a folder of its own, which is removed with it.
final class Program {
  let folder: URL

  init(_ files: [String: String]) throws {
    folder = URL(filePath: NSTemporaryDirectory()).resolvingSymlinksInPath()
      .appending(path: "kvo-port-\(UUID().uuidString)")
    for (name, text) in files { try write(text, to: name) }
  }

  convenience init(_ text: String) throws { try self.init(["a.swift": text]) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func write(_ text: String, to name: String) throws {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func text(_ name: String = "a.swift") throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: name).path)
  }

  /// Runs the command on the folder, outside of a repository unless there is one.
  @discardableResult
  func port(_ options: String..., paths: [String] = ["."], more: [String] = []) -> Run {
    let paths = paths.map { $0 == "." ? folder.path : folder.appending(path: $0).path }
    let (output, messages) = (Capture(), Capture())
    let status = PortCommand.run(options + more + paths, output, messages)
    return Run(
      status: status, output: output.text,
      messages: messages.text.replacing(folder.path + "/", with: "")
        .split(separator: "\n").map(String.init))
  }

  /// Runs the executable in the folder; other words may precede it.
  func launch(_ arguments: String..., behind words: [String] = []) throws -> Run {
    try launch(arguments, behind: words)
  }

  func launch(_ arguments: [String], behind words: [String] = []) throws -> Run {
    let process = Process()
    let (output, messages) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words + [try Self.executable().path] + arguments
    process.currentDirectoryURL = folder
    process.standardOutput = output
    process.standardError = messages
    try process.run()
    let texts = [output, messages].map {
      String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Run(
      status: process.terminationStatus, output: texts[0],
      messages: texts[1].split(separator: "\n").map(String.init))
  }

  /// The command is built beside the tests.
  private static func executable() throws -> URL {
    let bundles = [Bundle.main] + Bundle.allBundles
    return try #require(
      bundles.map { bundle in
        (bundle.bundleURL.pathExtension == "xctest"
          ? bundle.bundleURL.deletingLastPathComponent() : bundle.bundleURL)
          .appending(path: "kvo-port")
      }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) })
  }

  func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: name).path, withDestinationPath: destination)
  }

  /// The text of a link, nil if there is none.
  func destination(of name: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: folder.appending(path: name).path)
  }

  /// The text of `a.swift` after a run, and the warnings and notes of it.
  func ported(_ options: String...) throws -> (text: String, messages: [String]) {
    let (output, messages) = (Capture(), Capture())
    _ = PortCommand.run(["--allow-dirty"] + options + [folder.path], output, messages)
    let lines = messages.text.replacing(folder.path + "/", with: "").split(separator: "\n")
    return (try text(), lines.dropLast().map(String.init))
  }

  /// Runs a program in the folder, and returns its status.
  @discardableResult
  func run(_ command: String...) throws -> Int32 { try run(command) }

  @discardableResult
  func run(_ command: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Makes the folder a repository in which all files are committed.
  func commit() throws {
    try run("git", "init", "-q")
    try run("git", "add", "-A")
    try run(
      "git", "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "All")
  }

  struct Run {
    let status: Int32
    let output: String
    let messages: [String]
  }
}

/// Text that is kept.
final class Capture: PortStream, Sendable {
  private let bytes = Mutex<[UInt8]>([])

  func write(_ new: [UInt8]) { bytes.withLock { $0 += new } }

  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}

/// A program of one class.
let model = """
  import Foundation

  final class Model: NSObject {
    @objc dynamic var title = ""
    var count = 0
  }

  """

/// The program after a run.
let portedModel = """
  import Foundation
  import KeyValueObservingFoundation

  @KeyValueObservable
  final class Model: NSObject {
    var title = ""
    @KeyValueIgnored var count = 0
  }

  """
