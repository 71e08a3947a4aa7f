@testable import KeyValueObservingCore
import KeyValueObservingFoundation
import Testing

@Suite("What the library says")
struct SentenceTests {
  @Test("Each mistake is told once, with exactly its sentence")
  func said() async {
    await #expect(processExitsWith: .success) {
      for sentence in Sentence.diagnostics + Sentence.classic + Sentence.errors + Sentence.keyPaths
      {
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

  @Test("An empty range outside of its array takes no elements either")
  func emptyRangeOutside() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Shelf().mutableArrayValue(for: \.numbers).replaceSubrange(3..<3, with: [1])
    }
    #expect(result.standardError.contains("and asks for the places 3..<3."))
  }

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
