import Foundation
import KeyValueObservingFoundation
import Testing

@Suite("Porting operations and their observers")
struct OperationTests {
  /// Delivers what was requested when `answer()` is called.
  final class Server: @unchecked Sendable {
    private var completions: [(String) -> Void] = []

    func load(_ completion: @escaping (String) -> Void) { completions.append(completion) }

    func answer() {
      // A completion holds the operation, which holds the server.
      let waiting = completions
      completions = []
      for completion in waiting { completion("text") }
    }
  }

  // guide: operation
  final class Download: ObservableOperation, @unchecked Sendable {
    private let server: Server
    private(set) var text = ""

    init(from server: Server) { self.server = server }

    override func execute() {
      server.load { text in
        self.text = text
        self.finish()
      }
    }
  }
  // end

  @Test("P2, P8: an operation notifies an observer of isFinished when it calls finish()")
  func observing() throws {
    try expectPrints("operation") {
      let server = Server()
      // guide: operation
      let download = Download(from: server)
      let observation = download.observe(\.isFinished, options: .new) { download, change in
        print("finished", change.newValue ?? false, download.text)
      }
      download.start()  // or queue.addOperation(download)
      print(download.isExecuting)  // prints true
      server.answer()  // prints finished true text
      print(download.isExecuting)  // prints false
      observation.invalidate()
      // end
    }
  }
}
