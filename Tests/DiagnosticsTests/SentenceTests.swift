@testable import KeyValueObservingCore
import KeyValueObservingFoundation
import Testing

@KeyValueObservable
private final class Bag {
  var marks: Set<Int> = []
}

@Suite("Messages")
struct SentenceTests {
  @Test(
    "Each error is thrown with exactly its message",
    arguments: Sentence.errors + Sentence.keyPaths)
  func errors(sentence: Sentence) {
    let (errors, diagnostics) = sentence.provoked()
    #expect(errors == [sentence.text])
    #expect(diagnostics.isEmpty)
  }

  @Test(
    "Each diagnostic is reported once, with its identifier and exactly its message",
    arguments: Sentence.allDiagnostics)
  func diagnostics(sentence: Sentence) {
    let (errors, diagnostics) = sentence.provoked()
    #expect(errors.isEmpty)
    #expect(diagnostics.map(\.id.rawValue) == [sentence.id])
    #expect(diagnostics.map(\.message) == [sentence.text])
    #expect(diagnostics.map(\.description) == ["\(sentence.text) [\(sentence.id)]"])
  }

  @Test(
    "Each message names the call or key path, what happened, and what to write",
    arguments: Sentence.allDiagnostics + Sentence.errors + Sentence.keyPaths)
  func pattern(sentence: Sentence) throws {
    // Of an undefined key, what happened begins with the class.
    let pattern =
      sentence.id == "undefinedKey"
      ? /\w+ has no key '\w+'\. [A-Z].+[.?]/ : /\S.*?: \S.+\.(?: [A-Z].+[.?])?/
    #expect(try pattern.wholeMatch(in: sentence.text) != nil)
  }

  @Test("P35: a mutation with too few elements traps with its message")
  func elements() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Shelf().mutableArrayValue(for: \.numbers).insert([1], at: RangeSet(0..<2))
    }
    #expect(result.standardError.contains(Sentence.trap("elementCount")))
  }

  @Test("P35: an index that is out of range traps with its message")
  func places() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Shelf().mutableArrayValue(for: \.numbers)[3] = 1
    }
    #expect(result.standardError.contains(Sentence.trap("indexOutOfRange")))
  }

  @Test(
    "P35: every mutation traps if an index that the caller passes is out of range",
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
    #expect(result.standardError.contains("index out of range: "))
  }

  @Test("P35: removing the first element of an empty set traps with its message")
  func noMember() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Bag().mutableSetValue(for: \.marks).removeFirst()
    }
    #expect(result.standardError.contains(Sentence.trap("emptySet")))
  }

  @Test("P35: an empty range that is out of range traps as well")
  func emptyRangeOutside() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Shelf().mutableArrayValue(for: \.numbers).replaceSubrange(3..<3, with: [1])
    }
    #expect(result.standardError.contains("index out of range: 3..<3 (count 0)"))
  }

  #if DEBUG
    @Test("A setter that passes the key of a property of another type traps with its message")
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

    @Test("So does the setter of a weak property")
    func wrongTypeOfWeakProperty() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let poster = Poster()
        _ = poster.observe(\.title, options: .new) { _, _ in }
        poster.place = nil
      }
      #expect(result.standardError.contains("an accessor sets a value of type Room?, but"))
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
      #expect(result.standardError.contains("an accessor sets a value of type [String], but"))
    }
  #endif

  @Test("An invariant that is violated traps with its message")
  func contradiction() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      checkInvariant(1 + 1 == 2, "one and one is not two")
      checkInvariant(false, "one and two is not three")
    }
    #expect(result.standardError.contains(Sentence.trap("invariantViolation")))
    #expect(!result.standardError.contains("one and one"))
  }

  @Test("The article has a heading and an example for every identifier, as they are reported")
  func article() throws {
    let diagnostics = Sentence.allDiagnostics.map { ($0.name, "\($0.text) [\($0.id)]") }
    let errors = (Sentence.errors + Sentence.keyPaths).map { ($0.name, $0.text) }
    let texts = Dictionary(uniqueKeysWithValues: diagnostics + errors)
      .merging(Sentence.traps) { text, _ in text }
    let shown = try Sources.shownMessages()
    for sentence in shown {
      #expect(sentence.text == texts[sentence.name], "Diagnostics.md: \(sentence.name)")
    }
    let names = shown.map(\.name)
    #expect(Set(names).count == names.count)
    let identifiers = try Sources.identifiers()
    #expect(Set(names).isSuperset(of: identifiers))
    #expect(try Set(Sources.headings()).isSuperset(of: identifiers))
  }

  @Test("Every message of the sources is in these tables")
  func complete() throws {
    let tables = Sentence.allDiagnostics + Sentence.errors + Sentence.keyPaths
    let names = tables.map(\.id) + Sentence.traps.keys
    #expect(try Set(names) == Sources.messageNames())
    #expect(try Set(Sentence.allDiagnostics.map(\.id)) == Sources.identifiers())
  }
}

extension Sentence {
  fileprivate static var allDiagnostics: [Sentence] { diagnostics + classic + lifecycles }
}

extension ExitTest.Result {
  fileprivate var standardError: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
