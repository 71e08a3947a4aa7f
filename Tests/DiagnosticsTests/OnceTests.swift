import KeyValueObservingFoundation
import Testing

// Each in a process of its own, whose diagnostics are its own.
@Suite("How often a mistake is told")
struct OnceTests {
  @Test("P6: a link without keys is told once by each observation, and again for another type")
  func links() async {
    await #expect(processExitsWith: .success) {
      let shelf = Shelf()
      let said = try diagnostics {
        let tokens = [
          try shelf.onChange("anything.name") {}, try shelf.onChange("anything.name") {},
        ]
        for value in 0..<5 { shelf.anything = value }
        shelf.anything = Author()
        shelf.anything = 1
        shelf.anything = "text"
        for token in tokens { token.invalidate() }
      }
      #expect(said.filter { $0.contains("type Int have") }.count == 2)
      #expect(said.filter { $0.contains("type String have") }.count == 2)
      #expect(said.count == 4)
    }
  }

  @Test("P7: a typed path that nothing can tell changes of is told, a key that is constant is not")
  func deafPaths() async {
    await #expect(processExitsWith: .success) {
      let study = Study()
      let said = diagnostics {
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
      #expect(said.count == 3, "\(said)")
      #expect(said.first?.hasPrefix("No change of '\\Study.desk' is told,") == true)
      #expect(said.last?.hasPrefix("No change of '\\Study.place.number' is told,") == true)
    }
  }

  @Test("P27: a class that comes into an observed weak property is told once, if its type hid it")
  func weakArrivals() async {
    await #expect(processExitsWith: .success) {
      let (author, friend, agent, reader) = (Author(), Author(), Agent(), Reader())
      let said = diagnostics {
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
      #expect(said.map { $0.contains("class Agent,") } == [true, false])
      #expect(said.last?.contains("class Reader,") == true)
    }
  }

  @Test("P27: a path says once that what its weak links hold dies in silence")
  func weakLinks() async {
    await #expect(processExitsWith: .success) {
      let (author, agent) = (Author(), Agent())
      author.agent = agent
      let said = try diagnostics {
        author.editor = Author()
        let token = try author.onChange("editor.agent") {}
        for _ in 0..<3 { author.editor = Author() }
        author.editor?.agent = agent
        token.invalidate()
      }
      #expect(said.count == 1, "\(said)")
    }
  }

  @Test("P21: a wrong declaration is told once while the key is observed, whatever changes")
  func dependencies() async {
    await #expect(processExitsWith: .success) {
      let author = Author()
      author.editor = Author()
      let said = try diagnostics {
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
      #expect(said.count == 2, "\(said)")
    }
  }

  @Test("P18: a loop over two properties and one over a path are told by name, once for each set")
  func loops() async {
    await #expect(processExitsWith: .success) {
      let author = Author()
      author.editor = Author()
      let two = diagnostics {
        let tokens = [
          author.onChange(of: \.age) { author.name = "\($0)" },
          author.onChange(of: \.name) { _ in author.age &+= 1 },
        ]
        author.age = 1
        for token in tokens { token.invalidate() }
      }
      #expect(two.count == 1, "\(two)")
      let path = diagnostics {
        let token = author.onChange(of: \.editor?.name) { _ in author.editor = Author() }
        author.editor?.name = "Bea"
        token.invalidate()
      }
      #expect(path.count == 1, "\(path)")
      #expect(path.first?.hasPrefix("Author.editor") == true, "\(path)")
    }
  }

  @Test("P19, P31, P34: what is no mistake is silent")
  func silence() async {
    await #expect(processExitsWith: .success) {
      let (author, shelf) = (Author(), Shelf())
      let said = try diagnostics {
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
      #expect(said == [])
    }
  }
}
