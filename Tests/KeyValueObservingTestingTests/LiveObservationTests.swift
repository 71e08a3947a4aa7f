import KeyValueObserving
import KeyValueObservingTesting
import Testing

@Suite("expectNoLiveObservations")
struct LiveObservationTests {
  private let article = Article()

  @Test("each live observation is reported with class, key path, and the line that registered it")
  func live() throws {
    var tokens: Set<KeyValueObservation> = []
    var observer: KeyValueObserver?
    // Its path runs through a value, so it has no keys to be named by.
    let shelf = Shelf()
    var lines: [Int] = []
    let found = failures {
      expectNoLiveObservations {
        article.observe(\.count) { _, _ in }.store(in: &tokens)
        lines.append(#line - 1)
        article.onChange(of: \.title) { _ in }.store(in: &tokens)
        lines.append(#line - 1)
        shelf.observe(\.article?.title?.count) { _, _ in }.store(in: &tokens)
        lines.append(#line - 1)
        observer = try? KeyValueObserver(source: article, keyPath: "author.name") { _, _ in }
        lines.append(#line - 1)
      }
    }
    let subjects = [
      "Article.count", "Article.title", "a key path of Shelf", "Article.author.name",
    ]
    let places = zip(subjects, lines).map { subject, line in
      "\n  \(subject), registered at KeyValueObservingTestingTests/LiveObservationTests.swift:\(line)"
    }
    #expect(
      found == [
        """
        4 observations are still live at the end of the block. Invalidate each token, or release \
        it, before the block ends.
        """ + places.joined()
      ])
    withExtendedLifetime(observer) {}
  }

  @Test("a typed key path that the library knows is reported by its keys")
  func typedKeyPath() {
    article.author = Author()
    var token: KeyValueObservation?
    let found = failures {
      expectNoLiveObservations { token = article.observe(\.author?.name) { _, _ in } }
    }
    #expect(found.count == 1 && found[0].contains("Article.author.name, registered at "))
    token?.invalidate()
  }

  @Test("an observation without its token or its object is not live")
  func ended() {
    let ended = failures {
      var kept: [KeyValueObservation] = []
      expectNoLiveObservations {
        let token = article.observe(\.count) { _, _ in }
        token.invalidate()
        kept.append(token)
        _ = article.observe(\.author?.name) { _, _ in }
        let other = Article()
        kept.append(other.observe(\.count) { _, _ in })
        kept.append(other.observe(\.count, options: .prior) { _, _ in })
        kept.append(other.observe(\.author?.name) { _, _ in })
      }
      #expect(kept.count == 4)
    }
    #expect(ended.isEmpty)
  }

  @MainActor
  @Test("P33: an observation on an actor is not live once its object is deallocated")
  func endedOnActor() {
    let article = self.article
    var kept: [KeyValueObservation] = []
    let found = failures {
      expectNoLiveObservations {
        kept.append(Article().observe(\.count) { _, _ in })
        kept.append(article.observe(\.count) { _, _ in })
      }
    }
    #expect(found.count == 1 && found[0].hasPrefix("1 observation is still live"))
    #expect(kept.count == 2)
  }

  @Test("observations from before and of other tasks do not count")
  func others() async {
    var tokens = [article.observe(\.count) { _, _ in }]
    await expectNoLiveObservations {
      let other = await Task.detached { Holder() }.value
      tokens.append(other.token)
    }
    expectNoLiveObservations { withExtendedLifetime(tokens) {} }
  }

  @Test("tasks that inherit from an asynchronous block count")
  func tasks() async {
    let kept = Kept()
    await withKnownIssue {
      await expectNoLiveObservations {
        await Task { await kept.fill() }.value
      }
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("LiveObservationTests.swift:") }
    }
  }

  @Test("an inner block does not hide its observations from the outer one")
  func nested() {
    var token: KeyValueObservation?
    let found = failures {
      expectNoLiveObservations {
        expectNoDiagnostics { token = article.observe(\.count) { _, _ in } }
      }
    }
    #expect(found.count == 1 && found[0].contains("Article.count, registered at "))
    token?.invalidate()
  }

  private actor Kept {
    private var holder: Holder?
    func fill() { holder = Holder() }
  }

  private final class Holder: Sendable {
    let token: KeyValueObservation
    nonisolated(unsafe) private let article = Article()
    init() { token = article.observe(\.count) { _, _ in } }
  }
}
