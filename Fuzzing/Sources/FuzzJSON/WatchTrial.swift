import Foundation
import FuzzSupport

@testable import FuzzedCommand

/// Lets `kvo watch` print what becomes of a key path from version to version, as JSON.
struct WatchTrial {
  private let keyPath: String
  private let versions: [JSONObject]

  init(_ keyPath: String, _ versions: [JSONObject]) {
    (self.keyPath, self.versions) = (keyPath, versions)
  }

  /// Every line is a document of its own.
  func run() {
    let scratch = Self.scratch
    try? scratch.truncate(atOffset: 0)
    let output = Output(isColored: false, lines: scratch, messages: .nullDevice)
    var request = WatchRequest(file: "file", keyPaths: [keyPath])
    request.isJSON = true
    do throws(CommandError) {
      let session = try WatchSession(request, output)
      try session.take(versions[0])
      try session.observe()
      for version in versions.dropFirst() { try session.take(version) }
      session.printValues()
    } catch {
      claim(!error.message.isEmpty, "no message")
    }
    try? scratch.seek(toOffset: 0)
    let printed = (try? scratch.readToEnd()) ?? Data()
    for line in printed.split(separator: UInt8(ascii: "\n")) {
      claim(
        (try? JSONReader.read(Array(line))) != nil,
        "'\(String(decoding: line, as: UTF8.self))' is printed for '\(keyPath)'")
    }
  }

  /// A file without a name.
  ///
  /// A pipe would be full before it is read.
  private static let scratch = FileHandle(fileDescriptor: fileno(tmpfile()))
}
