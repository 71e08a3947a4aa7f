import Foundation
import KeyValueObservingFoundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("What the page on Foundation shows")
struct FoundationTests {
  // guide: queue
  final class Resize: ObservableOperation, @unchecked Sendable {
    private(set) var width = 0

    override func execute() {
      DispatchQueue.global().async {
        self.width = self.isCancelled ? 0 : 640
        self.finish()
      }
    }
  }
  // end

  @Test("P8: a queue waits for the end of asynchronous operations")
  func queue() throws {
    try expectPrints("queue") {
      // guide: queue
      let (first, second) = (Resize(), Resize())
      second.addDependency(first)
      let queue = OperationQueue()
      queue.addOperations([first, second], waitUntilFinished: true)
      print(first.width, second.isFinished)  // prints 640 true
      // end
    }
  }

  // guide: gate
  @KeyValueObservable
  final class Gate: ObservableOperation, @unchecked Sendable {
    @KeyValueIgnored var isOpen = false {
      didSet { didChangeValue(forKey: "isReady") }
    }

    @KeyValueIgnored override var isReady: Bool { super.isReady && isOpen }
  }
  // end

  @Test("P19: an operation notifies of a condition of its own")
  func gate() throws {
    try expectPrints("gate") {
      // guide: gate
      let gate = Gate()
      let observation = gate.onChange(of: \.isReady) { print("ready:", $0) }
      gate.isOpen = true  // prints ready: true
      observation.invalidate()
      // end
    }
  }

  // guide: concurrent
  @KeyValueObservable
  final class Scan: ObservableConcurrentOperation, @unchecked Sendable {
    @KeyValueIgnored private var hasEnded = false

    override var isFinished: Bool { hasEnded }

    override func start() {
      willChangeValue(forKey: "isFinished")
      hasEnded = true
      didChangeValue(forKey: "isFinished")
    }
  }
  // end

  @Test("P19: an operation notifies of its own state, and becomes ready by its dependencies")
  func concurrent() throws {
    try expectPrints("concurrent") {
      // guide: concurrent
      let (scan, printing) = (Scan(), Scan())
      printing.addDependency(scan)
      let observations = [
        scan.onChange(of: \.isFinished) { print("finished:", $0) },
        printing.onChange(of: \.isReady) { print("ready:", $0) },
      ]
      scan.start()  // prints finished: true
      _ = printing.isReady  // prints ready: true
      observations.forEach { $0.invalidate() }
      // end
    }
  }

  // guide: fraction
  @KeyValueObservable
  final class Song {
    let progress = ObservableProgress(totalUnitCount: 4)

    @KeyValueDependent(on: "progress.fractionCompleted")
    var percent: Int { Int(progress.fractionCompleted * 100) }
  }
  // end

  @Test("P21: a property that is computed from a fraction declares it")
  func fraction() throws {
    try expectPrints("fraction") {
      // guide: fraction
      let song = Song()
      let observation = song.onChange(of: \.percent) { print($0, "%") }
      song.progress.completedUnitCount = 1  // prints 25 %
      observation.invalidate()
      // end
      withExtendedLifetime(song) {}
    }
  }

  // guide: task
  final class Download: NSObject, URLSessionDataDelegate {
    let progress = ObservableProgress(totalUnitCount: -1)

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
    ) {
      progress.totalUnitCount = dataTask.countOfBytesExpectedToReceive
      progress.completedUnitCount += Int64(data.count)
    }
  }
  // end

  @Test("P8: the delegate of a session notifies of the progress of a task")
  func task() {
    let download = Download()
    var history: [Int64] = []
    let token = download.progress.onChange(of: \.completedUnitCount) { history.append($0) }
    let session = URLSession(configuration: .default)
    let task = session.dataTask(with: URL(string: "http://localhost")!)
    for size in [3, 4] {
      download.urlSession(session, dataTask: task, didReceive: Data(count: size))
    }
    task.cancel()
    session.invalidateAndCancel()
    #expect(history == [3, 7])
    token.invalidate()
  }
}
