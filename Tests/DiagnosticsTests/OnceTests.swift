import KeyValueObservingFoundation
import Testing

@Suite("How often an error is reported")
struct OnceTests {
  @Test("P6: each observation reports a value without keys once, and again for another type")
  func links() throws {
    let shelf = Shelf()
    let reported = try collectDiagnostics {
      let tokens = [
        try shelf.onChange("anything.name") {}, try shelf.onChange("anything.name") {},
      ]
      for value in 0..<5 { shelf.anything = value }
      shelf.anything = Author()
      shelf.anything = 1
      shelf.anything = "text"
      for token in tokens { token.invalidate() }
    }
    #expect(reported.allSatisfy { $0.id == .valueWithoutKeys })
    #expect(reported.filter { $0.message.contains("type Int,") }.count == 2)
    #expect(reported.filter { $0.message.contains("type String,") }.count == 2)
    #expect(reported.count == 4)
  }

  @Test("P7: a typed key path without an observable property is reported, a constant key is not")
  func unobservableKeyPaths() {
    let study = Study()
    let reported = collectDiagnostics {
      let tokens = [
        study.onChange(of: \.desk) { _ in },
        study.onChange(of: \.desk.count) { _ in },
        study.onChange(of: \.place) { _ in },
        study.onChange(of: \.place.number) { _ in },
        study.onChange(of: \.name.count) { _ in },
      ]
      study.desk = "tidy"
      for token in tokens { token.invalidate() }
    }
    #expect(reported.map(\.id) == Array(repeating: .unobservableKeyPath, count: 3))
    #expect(reported.first?.keyPath == "\\Study.desk")
    #expect(reported.last?.keyPath == "\\Study.place.number")
  }

  @Test("P7: the remedy fits a subclass with the macro, all of whose properties are ignored")
  func ignoredPropertiesOfSubclass() {
    let reported = collectDiagnostics { Attic().onChange(of: \.dust) { _ in }.invalidate() }
    #expect(
      reported.map(\.message) == [
        """
        \\Attic.dust: no property on the key path is observable. Make sure that Attic has \
        @KeyValueObservable, and that the property is not marked with @KeyValueIgnored.
        """
      ])
  }

  @Test("P27: a class that an observed weak property turns out to hold is reported once")
  func weakTargets() {
    let (author, friend, agent, reader) = (Author(), Author(), Agent(), Reader())
    let reported = collectDiagnostics {
      let token = author.onChange(of: \.guest) { _ in }
      author.guest = friend
      for _ in 0..<3 {
        author.guest = agent
        author.guest = reader
        author.guest = nil
      }
      token.invalidate()
      author.guest = agent
    }
    #expect(reported.map(\.id) == [.unobservableWeakTarget, .unobservableWeakTarget])
    #expect(reported.map { $0.message.contains("Agent is not") } == [true, false])
    #expect(reported.last?.message.contains("Reader is not") == true)
  }

  @Test("P27: such a class is reported again if all observers have ended since")
  func weakTargetsAgain() {
    let (author, agent) = (Author(), Agent())
    let reported = collectDiagnostics {
      for _ in 0..<2 {
        let token = author.onChange(of: \.guest) { _ in }
        author.guest = agent
        author.guest = nil
        author.guest = agent
        token.invalidate()
        author.guest = nil
      }
    }
    #expect(reported.map(\.id) == [.unobservableWeakTarget, .unobservableWeakTarget])
  }

  @Test("P27: a key path reports once that the target of its weak property cannot be observed")
  func weakLinks() throws {
    let (author, agent) = (Author(), Agent())
    author.agent = agent
    let reported = try collectDiagnostics {
      author.editor = Author()
      let token = try author.onChange("editor.agent") {}
      for _ in 0..<3 { author.editor = Author() }
      author.editor?.agent = agent
      token.invalidate()
    }
    #expect(reported.map(\.id) == [.unobservableWeakTarget])
  }

  @Test("P21: a wrong declaration is reported once while the key is observed")
  func dependencies() throws {
    let author = Author()
    author.editor = Author()
    let reported = try collectDiagnostics {
      let tokens = [
        author.onChange(of: \.signature) { _ in },
        author.onChange(of: \.signature) { _ in },
      ]
      for _ in 0..<3 { author.withMutation(of: \.signature) { author.books += 1 } }
      for token in tokens { token.invalidate() }
      let path = try author.onChange("editor.signature") {}
      author.editor = Author()
      path.invalidate()
    }
    #expect(reported.map(\.id) == [.unknownDependency, .unknownDependency])
  }

  @Test("P18: a notification loop is reported once for each set, by the name of a property on it")
  func loops() {
    let author = Author()
    author.editor = Author()
    let two = collectDiagnostics {
      let tokens = [
        author.onChange(of: \.age) { author.name = "\($0)" },
        author.onChange(of: \.name) { _ in author.age &+= 1 },
      ]
      author.age = 1
      for token in tokens { token.invalidate() }
    }
    #expect(two.map(\.id) == [.nonConvergence])
    let path = collectDiagnostics {
      let token = author.onChange(of: \.editor?.name) { _ in author.editor = Author() }
      author.editor?.name = "Bea"
      token.invalidate()
    }
    #expect(path.map(\.id) == [.nonConvergence])
    #expect(path.first?.message.hasPrefix("Author.editor") == true, "\(path)")
  }

  @Test("P19, P31, P34: what is not an error is not reported")
  func noErrors() throws {
    let (author, shelf) = (Author(), Shelf())
    let reported = try collectDiagnostics {
      author.didChangeValue(for: \.name)
      author.willChangeValue(for: \.name)
      let token = author.onChange(of: \.name) { _ in }
      token.invalidate()
      token.invalidate()
      shelf.first = author
      let tokens = [
        shelf.onChange(of: \.first?.friend?.name) { _ in },
        shelf.onChange(of: \.first?.name.count) { _ in },
        try shelf.onChange("sizes.large") {},
        try shelf.onChange("books.name") {},
      ]
      shelf.first = nil
      shelf.sizes = ["large": 1]
      shelf.sizes = nil
      for token in tokens { token.invalidate() }
    }
    #expect(reported.isEmpty, "\(reported)")
  }
}
