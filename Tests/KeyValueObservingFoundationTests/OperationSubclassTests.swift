import Foundation
import KeyValueObservingFoundation
import Testing
import TestSupport

/// Notifies by key, as ported code does.
@KeyValueObservable
private class Download: Operation, @unchecked Sendable {
  @KeyValueIgnored private let finished = Guarded(false)
  @KeyValueIgnored private let executing = Guarded(false)
  var progress = 0

  override var isAsynchronous: Bool { true }

  override var isExecuting: Bool {
    get { executing.withLock(\.self) }
    set {
      willChangeValue(forKey: "isExecuting")
      executing.withLock { $0 = newValue }
      didChangeValue(forKey: "isExecuting")
    }
  }

  override var isFinished: Bool {
    get { finished.withLock(\.self) }
    set {
      self.willChangeValue(for: \.isFinished)
      finished.withLock { $0 = newValue }
      self.didChangeValue(for: \.isFinished)
    }
  }

  /// Notifies of properties that it inherits, of which the queue knows the first.
  func notifyOfProperties() {
    willChangeValue(for: \.isCancelled)
    didChangeValue(for: \.isCancelled)
    willChangeValue(for: \.queuePriority)
    didChangeValue(for: \.queuePriority)
    willChangeValue(forKey: "isReady")
    didChangeValue(forKey: "isReady")
    willChangeValue(forKey: "isDone")
    didChangeValue(forKey: "isDone")
  }

  override func start() {
    isExecuting = true
    isExecuting = false
    isFinished = true
  }
}

/// Calls what its superclass has.
@KeyValueObservable
private final class Upload: Download, @unchecked Sendable {
  @KeyValueIgnored private var size = 0
  var bytes: Int { size }

  override func start() {
    willChangeValue(for: \.bytes)
    size = 5
    didChangeValue(for: \.bytes)
    let notify = { (key: String) in self.willChangeValue(forKey: key) }
    notify("progress")
    defer { didChangeValue(forKey: "progress") }
    super.start()
  }
}

@Suite("Operations")
struct OperationSubclassTests {
  @Test("P19: a manual notification of an operation reaches the observers")
  func observers() {
    let download = Download()
    let history = observed(download)
    download.start()
    #expect(history() == ["executing true", "executing false", "finished true"])
  }

  @Test("P19: and the operation queue, which waits for it")
  func queue() {
    let (download, upload) = (Download(), Upload())
    let histories = [observed(download), observed(upload)]
    upload.addDependency(download)
    let queue = OperationQueue()
    queue.addOperations([download, upload], waitUntilFinished: true)
    #expect(download.isFinished && upload.isFinished)
    for history in histories {
      #expect(history() == ["executing true", "executing false", "finished true"])
    }
  }

  @Test("P19: a subclass of such an operation notifies of its own properties, too")
  func subclass() {
    let upload = Upload()
    let history = Guarded<[String]>([])
    let tokens = [
      upload.observe(\.bytes, options: [.old, .new]) { _, change in
        history.withLock { $0.append("bytes \(change.oldValue!) \(change.newValue!)") }
      },
      upload.observe(\.progress) { _, _ in history.withLock { $0.append("progress") } },
    ]
    upload.start()
    #expect(history.withLock { $0 } == ["bytes 0 5", "progress"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P19: what neither the class nor the queue knows is reported")
  func unknown() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.collect()
      Download().notifyOfProperties()
      let sentences = Diagnostics.take()
      #expect(sentences.count == 4)
      #expect(sentences.prefix(2).allSatisfy { $0.contains("Download") && !$0.contains("isDone") })
      #expect(sentences.suffix(2).allSatisfy { $0.contains("isDone") })
    }
  }

  /// Observes the state of an operation, and returns what was received.
  private func observed(_ download: Download) -> () -> [String] {
    let history = Guarded<[String]>([])
    let tokens = [
      download.observe(\.isExecuting, options: .new) { _, change in
        history.withLock { $0.append("executing \(change.newValue!)") }
      },
      download.observe(\.isFinished, options: .new) { _, change in
        history.withLock { $0.append("finished \(change.newValue!)") }
      },
    ]
    return { withExtendedLifetime(tokens) { history.withLock { $0 } } }
  }

  @Test("P19: a subclass of an observable operation notifies manually of its own properties")
  func subclassOfObservable() {
    let transfer = Transfer()
    var history: [String] = []
    let token = transfer.observe(\.progress, options: [.old, .new]) { _, change in
      history.append("\(change.oldValue!) to \(change.newValue!)")
    }
    transfer.start()
    #expect(history == ["0 to 50", "50 to 100"])
    #expect(transfer.isFinished)
    token.invalidate()
  }
}

@KeyValueObservable
private final class Transfer: ObservableOperation, @unchecked Sendable {
  @KeyValueIgnored private var percentage = 0
  var progress: Int { percentage }

  override func main() {
    for percentage in [50, 100] {
      willChangeValue(forKey: "progress")
      self.percentage = percentage
      didChangeValue(forKey: "progress")
    }
  }
}
