@testable import KeyValueObservingCore
import KeyValueObservingFoundation
import Testing

@KeyValueObservable
private final class Bag {
  var marks: Set<Int> = []
}

@Suite("What the library says")
struct SentenceTests {
  @Test("Each mistake is told once, with exactly its sentence")
  func said() async {
    await #expect(processExitsWith: .success) {
      let sentences =
        Sentence.diagnostics + Sentence.classic + Sentence.lifecycles + Sentence.errors
        + Sentence.keyPaths
      for sentence in sentences {
        #expect(sentence.said() == [sentence.text], "\(sentence.name)")
      }
    }
  }

  @Test("An edit of a proxy with too few elements traps with its sentence")
  func elements() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Shelf().mutableArrayValue(for: \.numbers).insert([1], at: RangeSet(0..<2))
    }
    #expect(result.standardError.contains(Sentence.trap("elements")))
  }

  @Test("An edit of a proxy outside of its array traps with its sentence")
  func places() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Shelf().mutableArrayValue(for: \.numbers)[3] = 1
    }
    #expect(result.standardError.contains(Sentence.trap("places")))
  }

  @Test(
    "Every edit of a proxy with an index that the caller gives and the array lacks traps with the sentence",
    arguments: [
      "removeFirst", "removeLast", "negative", "swapAt", "range", "moved", "moveTo",
    ])
  func givenPlaces(edit: String) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [edit] in
      let numbers = Shelf().mutableArrayValue(for: \.numbers)
      numbers += [1, 2]
      switch edit {
      case "removeFirst": numbers.removeFirst(3)
      case "removeLast": numbers.removeLast(3)
      case "negative": numbers.removeFirst(-1)
      case "swapAt": numbers.swapAt(0, 2)
      case "range": numbers[1..<4] = [1]
      case "moved": numbers.moveSubranges(RangeSet(2..<3), to: 0)
      default: numbers.moveSubranges(RangeSet(0..<1), to: 3)
      }
    }
    #expect(result.standardError.contains("must stay inside of the array, which has 2 elements"))
  }

  @Test("Removing the first member of an empty set traps with its sentence")
  func noMember() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Bag().mutableSetValue(for: \.marks).removeFirst()
    }
    #expect(result.standardError.contains(Sentence.trap("noMember")))
  }

  @Test("An empty range outside of its array takes no elements either")
  func emptyRangeOutside() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Shelf().mutableArrayValue(for: \.numbers).replaceSubrange(3..<3, with: [1])
    }
    #expect(result.standardError.contains("and asks for the places 3..<3."))
  }

  #if DEBUG
    @Test("A setter that names a property of another type traps with its sentence")
    func wrongType() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let poster = Poster()
        poster.width = 1
        _ = poster.observe(\.title, options: .new) { _, _ in }
        poster.width = 2
      }
      #expect(result.standardError.contains(Sentence.trap("wrongType")))
    }

    @Test("So does that of a weak property")
    func wrongTypeOfWeakProperty() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let poster = Poster()
        _ = poster.observe(\.title, options: .new) { _, _ in }
        poster.place = nil
      }
      #expect(result.standardError.contains("to a value of type Room?, and"))
    }

    @Test("So does a mutation in place")
    func wrongTypeInPlace() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let poster = Poster()
        _ = poster.observe(\.title, options: .new) { _, _ in }
        poster.lines.append("a")
      }
      #expect(result.standardError.contains("to a value of type [String], and"))
    }
  #endif

  @Test("An invariant that does not hold traps with its sentence")
  func contradiction() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      checkInvariant(1 + 1 == 2, "one and one is not two")
      checkInvariant(false, "one and two is not three")
    }
    #expect(result.standardError.contains("contradicts itself: one and two is not three. This"))
    #expect(!result.standardError.contains("one and one"))
  }

  @Test("A box without a type traps with the sentence of an invariant")
  func box() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      AnyValueBox().withAddress { _ in }
    }
    #expect(result.standardError.contains(Sentence.trap("contradiction")))
  }

  @Test("The article shows every diagnostic once, and nothing that the library does not say")
  func article() throws {
    let tables = Sentence.diagnostics + Sentence.classic + Sentence.errors + Sentence.keyPaths
    let said = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0.text) })
      .merging(Sentence.traps) { text, _ in text }
    let shown = try Sources.shownSentences()
    for sentence in shown {
      #expect(sentence.text == said[sentence.name], "Diagnostics.md: \(sentence.name)")
    }
    let names = shown.map(\.name)
    let diagnosticNames = (Sentence.diagnostics + Sentence.classic).map(\.name)
      .filter { !$0.contains(",") }
    #expect(Set(names).count == names.count)
    #expect(Set(names).isSuperset(of: diagnosticNames))
  }

  @Test("Every sentence of the sources is in these tables")
  func complete() throws {
    let tables = Sentence.diagnostics + Sentence.classic + Sentence.errors + Sentence.keyPaths
    let names = tables.map { String($0.name.prefix { $0 != "," }) } + Sentence.traps.keys
    #expect(try Set(names) == Sources.sentenceNames())
  }
}

extension ExitTest.Result {
  fileprivate var standardError: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
