import KeyValueObservingFoundation
import Testing

// Each in a process of its own, whose handler is its own.
@Suite("The handler of the process")
struct HandlerTests {
  @Test("The default writes to standard error in debug builds and is silent in release builds")
  func standardError() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      Author().willChangeValue(forKey: "agee")
    }
    let written = String(decoding: result.standardErrorContent, as: UTF8.self)
    #if DEBUG
      let sentence = Sentence.diagnostics.first { $0.name == "unknownProperty" }
      #expect(written.contains("KeyValueObserving: \(sentence?.text ?? "?") [unknownProperty]\n"))
    #else
      #expect(!written.contains("KeyValueObserving"))
    #endif
  }

  @Test("Nil discards diagnostics, and another handler replaces the former one")
  func replaced() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      KeyValueDiagnostics.handler = nil
      Author().willChangeValue(forKey: "agee")
      #expect(KeyValueDiagnostics.handler == nil)
      let (first, second) = (DiagnosticList(), DiagnosticList())
      KeyValueDiagnostics.handler = first.handler
      KeyValueDiagnostics.handler = second.handler
      Author().willChangeValue(forKey: "agee")
      #expect(first.all.isEmpty && second.all.count == 1)
    }
    #expect(!String(decoding: result.standardErrorContent, as: UTF8.self).contains("agee"))
  }

  @Test("A handler may replace itself")
  func replacesItself() async {
    await #expect(processExitsWith: .success) {
      let (first, second) = (DiagnosticList(), DiagnosticList())
      KeyValueDiagnostics.handler = { diagnostic in
        KeyValueDiagnostics.handler = second.handler
        first.append(diagnostic)
      }
      Author().willChangeValue(forKey: "agee")
      Author().willChangeValue(forKey: "nome")
      #expect(first.keyPaths == ["agee"] && second.keyPaths == ["nome"])
    }
  }

  @Test("Diagnostics of several threads reach the handler, also while it is replaced")
  func threads() async {
    await #expect(processExitsWith: .success) {
      let list = DiagnosticList()
      KeyValueDiagnostics.handler = list.handler
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<500 {
              Author().willChangeValue(forKey: "agee")
              KeyValueDiagnostics.handler = { list.append($0) }
              KeyValueDiagnostics.handler = list.handler
            }
          }
        }
      }
      #expect(list.all.count == 2000)
    }
  }

  @Test("P97: it receives no diagnostic of a task with a handler, and those of detached tasks")
  func beside() async {
    await #expect(processExitsWith: .success) {
      let (process, task) = (DiagnosticList(), DiagnosticList())
      KeyValueDiagnostics.handler = process.handler
      await KeyValueDiagnostics.withHandler(task.handler) {
        Author().willChangeValue(forKey: "a")
        await Task.detached { Author().willChangeValue(forKey: "b") }.value
      }
      Author().willChangeValue(forKey: "c")
      #expect(task.keyPaths == ["a"])
      #expect(process.keyPaths == ["b", "c"])
    }
  }

  @Test("The handler of a task may set and read that of the process")
  func setInTask() async {
    await #expect(processExitsWith: .success) {
      let process = DiagnosticList()
      KeyValueDiagnostics.withHandler(nil) {
        KeyValueDiagnostics.handler = process.handler
        Author().willChangeValue(forKey: "a")
        #expect(KeyValueDiagnostics.handler != nil)
      }
      Author().willChangeValue(forKey: "b")
      #expect(process.keyPaths == ["b"])
    }
  }
}
