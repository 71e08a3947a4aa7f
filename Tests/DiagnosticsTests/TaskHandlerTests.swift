import KeyValueObservingFoundation
import Testing

@Suite("The handler of a task")
struct TaskHandlerTests {
  @Test("P97: it receives the diagnostics of a closure, whose result or error is passed on")
  func scope() async throws {
    let list = DiagnosticList()
    let result = KeyValueDiagnostics.withHandler(list.handler) {
      Author().willChangeValue(forKey: "a")
      return 1
    }
    let asynchronous = await KeyValueDiagnostics.withHandler(list.handler) {
      Author().willChangeValue(forKey: "b")
      await Task.yield()
      Author().willChangeValue(forKey: "c")
      return 2
    }
    #expect((result, asynchronous) == (1, 2))
    #expect(list.keyPaths == ["a", "b", "c"])
    #expect(throws: KeyValueCodingError.readOnly(type: Author.self, key: "id")) {
      try KeyValueDiagnostics.withHandler(nil) { try Author().setValue(2, forKey: "id") }
    }
    await #expect(throws: KeyValueCodingError.readOnly(type: Author.self, key: "id")) {
      try await KeyValueDiagnostics.withHandler(nil) {
        await Task.yield()
        try Author().setValue(2, forKey: "id")
      }
    }
  }

  @Test("P97: tasks that run in parallel receive each its own diagnostics")
  func parallel() async {
    await withTaskGroup(of: [String?].self) { group in
      for task in 0..<8 {
        group.addTask {
          let list = DiagnosticList()
          await KeyValueDiagnostics.withHandler(list.handler) {
            for _ in 0..<100 {
              Author().willChangeValue(forKey: "\(task)")
              await Task.yield()
            }
          }
          #expect(list.keyPaths.allSatisfy { $0 == "\(task)" })
          return list.keyPaths
        }
      }
      var count = 0
      for await keyPaths in group { count += keyPaths.count }
      #expect(count == 800)
    }
  }

  @Test("P97: child tasks and unstructured tasks inherit it")
  func inherited() async {
    let list = DiagnosticList()
    await KeyValueDiagnostics.withHandler(list.handler) {
      async let child: Void = Author().willChangeValue(forKey: "a")
      await child
      await Task { Author().willChangeValue(forKey: "b") }.value
    }
    #expect(list.keyPaths == ["a", "b"])
  }

  @Test("P97: the task that makes a change decides, not the one that registered")
  func cause() throws {
    let shelf = Shelf()
    let (registering, changing) = (DiagnosticList(), DiagnosticList())
    let token = try KeyValueDiagnostics.withHandler(registering.handler) {
      try shelf.onChange("anything.name") {}
    }
    KeyValueDiagnostics.withHandler(changing.handler) { shelf.anything = 1 }
    #expect(registering.all.isEmpty)
    #expect(changing.all.map(\.id) == [.valueWithoutKeys])
    token.invalidate()
  }

  @Test("P97, P40: an actor receives changes with the handler of the task that made the first")
  func actors() async {
    let list = DiagnosticList()
    let model = SharedAuthor()
    let desk = Librarian()
    await desk.observe(model)
    await KeyValueDiagnostics.withHandler(list.handler) {
      await Task { model.author.name = "Bea" }.value
      await desk.received()
    }
    #expect(list.keyPaths == ["noticed"])
    await desk.close()
  }

  @Test("P97: an inner handler replaces the outer one, and nil discards diagnostics")
  func nested() {
    let (outer, inner) = (DiagnosticList(), DiagnosticList())
    KeyValueDiagnostics.withHandler(outer.handler) {
      KeyValueDiagnostics.withHandler(inner.handler) { Author().willChangeValue(forKey: "a") }
      KeyValueDiagnostics.withHandler(nil) { Author().willChangeValue(forKey: "b") }
      Author().willChangeValue(forKey: "c")
    }
    #expect(inner.keyPaths == ["a"])
    #expect(outer.keyPaths == ["c"])
  }

  @Test("P97: it is called with no lock held: it may set and observe the object that is at fault")
  func reentrant() throws {
    let desk = Desk()
    try KeyValueDiagnostics.withHandler { _ in
      desk.rearrange()
    } operation: {
      try desk.open()
      desk.shelf.anything = 1
      #expect(desk.shelf.first != nil)
      #expect(desk.shelf.anything as? Int == 2)
      desk.shelf.anything = 3
    }
    #expect(desk.received.last == 3)
    desk.tokens = []
  }

  @Test("P97, P21: a computed property does not depend on what a handler reads")
  func reads() {
    let desk = Desk()
    let author = Author()
    var count = 0
    KeyValueDiagnostics.withHandler { _ in
      _ = desk.author.name
    } operation: {
      let observation = author.onChange(of: \.signature) { _ in count += 1 }
      desk.author.name = "Bea"
      #expect(count == 0)
      observation.invalidate()
    }
  }

  @Test("P97: errors that a handler causes are not reported, and those after it are")
  func errorsOfItsOwn() {
    let list = DiagnosticList()
    KeyValueDiagnostics.withHandler {
      list.append($0)
      Author().willChangeValue(forKey: "nam")
    } operation: {
      Author().willChangeValue(forKey: "agee")
      Author().willChangeValue(forKey: "nome")
    }
    #expect(list.keyPaths == ["agee", "nome"])
  }

  @Test("An error that an observation finds while a handler runs is reported later")
  func foundInHandler() throws {
    let (desk, list) = (Desk(), DiagnosticList())
    try desk.open()
    KeyValueDiagnostics.withHandler { _ in
      desk.shelf.anything = 1
    } operation: {
      Author().willChangeValue(forKey: "agee")
    }
    KeyValueDiagnostics.withHandler(list.handler) { desk.shelf.anything = 2 }
    #expect(list.all.map(\.id) == [.valueWithoutKeys])
    desk.tokens = []
  }
}

/// The state that a handler and its test share, on one thread.
private final class Desk: @unchecked Sendable {
  let shelf = Shelf()
  let author = Author()
  var received: [Int] = []
  var tokens: [KeyValueObservation] = []

  func open() throws { tokens = [try shelf.onChange("anything.name") {}] }

  /// Registers, sets another property and the one that is reported, and ends what is reported.
  func rearrange() {
    tokens.append(
      shelf.onChange(of: \.anything) { [weak self] in
        if let value = $0 as? Int { self?.received.append(value) }
      })
    shelf.first = author
    if shelf.anything as? Int == 1 { shelf.anything = 2 }
    tokens.removeFirst().invalidate()
  }
}

/// An author that a test changes on one thread at a time.
private final class SharedAuthor: @unchecked Sendable {
  let author = Author()
}

/// Receives changes on an actor, and makes a mistake in its handler.
private actor Librarian {
  private var token: KeyValueObservation?
  private var count = 0
  private var waiting: CheckedContinuation<Void, Never>?

  func observe(_ shared: SharedAuthor) {
    token = shared.author.onChange(of: \.name) { _ in self.receive() }
  }

  private func receive() {
    Author().willChangeValue(forKey: "noticed")
    count += 1
    waiting?.resume()
    waiting = nil
  }

  func received() async {
    if count == 0 { await withCheckedContinuation { waiting = $0 } }
  }

  func close() { token = nil }
}
