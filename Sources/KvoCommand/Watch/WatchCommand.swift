import Foundation
import KeyValueObserving

/// `kvo watch`: keeps the live objects of a document in step with its file, until interrupted.
@MainActor
struct WatchCommand {
  private let request: WatchRequest
  private var file: DocumentFile
  private let session: WatchSession
  private var detector = SaveDetector<FileStamp>()

  init(_ request: WatchRequest, _ output: Output) throws(CommandError) {
    self.request = request
    file = DocumentFile(path: request.file)
    session = try WatchSession(request, output)
  }

  mutating func run() async throws(CommandError) {
    if request.isOnce {
      try session.take(try file.read())
      return session.printValues()
    }
    _ = detector.look(at: file.stamp, now: .now)
    // The contents at the beginning are no change, so they are read before observers are added. If
    // they cannot be read, the first look at rest reports it.
    if let object = try? file.read() { try session.take(object) }
    Interruption.expect()
    try session.observe()
    while !Interruption.hasCome {
      try look()
      try? await Task.sleep(for: .milliseconds(50))
    }
  }

  private mutating func look() throws(CommandError) {
    let advice = detector.look(at: file.stamp, now: .now)
    if advice == .nothing { return }
    let object: JSONObject
    do throws(CommandError) {
      object = try file.read()
    } catch {
      if advice == .readAtRest { session.report(error) }
      return
    }
    try session.take(object)
  }
}
