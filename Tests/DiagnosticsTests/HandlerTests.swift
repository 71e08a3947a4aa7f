import KeyValueObservingFoundation
import Testing

// Each in a process of its own, whose handler is its own.
@Suite("The handler of diagnostics")
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
      let sentence = Sentence.diagnostics.first { $0.name == "notAProperty" }?.text ?? "?"
      #expect(written.contains("KeyValueObserving: \(sentence)\n"))
    #else
      #expect(!written.contains("KeyValueObserving"))
    #endif
  }

  @Test("Nil is silence, and another handler takes the place of the former one")
  func replaced() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      KeyValueDiagnostics.handler = nil
      Author().willChangeValue(forKey: "agee")
      #expect(KeyValueDiagnostics.handler == nil)
      let (first, second) = (Sentences(), Sentences())
      KeyValueDiagnostics.handler = { first.append($0.description) }
      KeyValueDiagnostics.handler = { second.append("\($0)") }
      Author().willChangeValue(forKey: "agee")
      #expect(first.all.isEmpty && second.all.count == 1)
    }
    #expect(!String(decoding: result.standardErrorContent, as: UTF8.self).contains("agee"))
  }

  @Test("A handler may put another one in its own place")
  func replacesItself() async {
    await #expect(processExitsWith: .success) {
      let sentences = Sentences()
      KeyValueDiagnostics.handler = { _ in
        KeyValueDiagnostics.handler = { _ in sentences.append("second") }
        sentences.append("first")
      }
      Author().willChangeValue(forKey: "agee")
      Author().willChangeValue(forKey: "agee")
      #expect(sentences.all == ["first", "second"])
    }
  }

  @Test("A handler is called with no lock held: it may set and observe the object it hears of")
  func reentrant() async {
    await #expect(processExitsWith: .success) {
      let desk = Desk()
      KeyValueDiagnostics.handler = { _ in desk.rearrange() }
      try desk.open()
      desk.shelf.anything = 1
      #expect(desk.shelf.first != nil)
      #expect(desk.shelf.anything as? Int == 2)
      desk.shelf.anything = 3
      #expect(desk.sentences.all.last == "heard 3")
      desk.tokens = []
    }
  }

  @Test("A handler can let a test fail, as the article shows")
  func failsTest() async {
    await #expect(processExitsWith: .success) {
      withKnownIssue {
        KeyValueDiagnostics.handler = { Issue.record("\($0)") }
        defer { KeyValueDiagnostics.handler = nil }
        Author().willChangeValue(forKey: "agee")
      }
    }
  }

  @Test("What a handler reads is no input of what is being computed")
  func reads() async {
    await #expect(processExitsWith: .success) {
      let desk = Desk()
      KeyValueDiagnostics.handler = { _ in _ = desk.author.name }
      let author = Author()
      var count = 0
      let observation = author.onChange(of: \.signature) { _ in count += 1 }
      desk.author.name = "Bea"
      #expect(count == 0)
      observation.invalidate()
    }
  }

  @Test("What goes wrong in a handler is not told to it, and what comes after it is")
  func mistakesOfItsOwn() async {
    await #expect(processExitsWith: .success) {
      let sentences = Sentences()
      KeyValueDiagnostics.handler = {
        sentences.append("\($0)")
        Author().willChangeValue(forKey: "nam")
      }
      Author().willChangeValue(forKey: "agee")
      Author().willChangeValue(forKey: "nome")
      #expect(sentences.all.map { $0.contains("'nam'") } == [false, false])
    }
  }

  @Test("What an observation met in a handler it tells of later")
  func metInHandler() async {
    await #expect(processExitsWith: .success) {
      let (desk, said) = (Desk(), Sentences())
      try desk.open()
      KeyValueDiagnostics.handler = { _ in desk.shelf.anything = 1 }
      Author().willChangeValue(forKey: "agee")
      KeyValueDiagnostics.handler = { said.append("\($0)") }
      desk.shelf.anything = 2
      #expect(said.all.count == 1)
      desk.tokens = []
    }
  }

  @Test("Diagnostics of several threads reach it, whoever replaces it meanwhile")
  func threads() async {
    await #expect(processExitsWith: .success) {
      let sentences = Sentences()
      KeyValueDiagnostics.handler = { sentences.append("\($0)") }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<500 {
              Author().willChangeValue(forKey: "agee")
              KeyValueDiagnostics.handler = { _ in sentences.append("meanwhile") }
              KeyValueDiagnostics.handler = { sentences.append("\($0)") }
            }
          }
        }
      }
      #expect(sentences.all.count == 2000)
    }
  }
}

/// What a handler and its test share, on one thread.
private final class Desk: @unchecked Sendable {
  let shelf = Shelf()
  let author = Author()
  let sentences = Sentences()
  var tokens: [KeyValueObservation] = []

  func open() throws { tokens = [try shelf.onChange("anything.name") {}] }

  /// Registers, sets another property and the one that is reported, and ends what is reported.
  func rearrange() {
    tokens.append(
      shelf.onChange(of: \.anything) { [sentences] in sentences.append("heard \($0 ?? "nil")") })
    shelf.first = author
    if shelf.anything as? Int == 1 { shelf.anything = 2 }
    tokens.removeFirst().invalidate()
  }
}
