import KeyValueObserving
import Testing

@Suite("What the figures of the documentation show")
struct FigureTests {
  @KeyValueObservable
  final class Article {
    var title = "Untitled" {
      willSet { steps.append("willSet") }
      didSet { steps.append("didSet") }
    }
    var heading: String { title.uppercased() }
    @KeyValueIgnored var steps: [String] = []
  }

  @Test("P10, P24: one assignment takes the steps of the figure 'assignment'")
  func assignment() {
    let article = Article()
    let tokens = [
      article.observe(\.title, options: .prior) { article, change in
        article.steps.append(change.isPrior ? "prior" : "first observer")
      },
      article.onChange(of: \.heading) { [unowned article] in article.steps.append($0) },
      article.onChange(of: \.title) { [unowned article] in article.steps.append($0) },
    ]
    article.title = "Notes"
    article.steps.append("returned")
    #expect(
      article.steps == [
        "prior", "willSet", "didSet", "first observer", "Notes", "NOTES", "returned",
      ])
    withExtendedLifetime((tokens, article)) {}
  }

  @KeyValueObservable
  final class Counter {
    var count = 0
  }

  @Test("P11: two observers receive the changes of the figure 'reentrancy'")
  func reentrancy() {
    let counter = Counter()
    var received: [String] = []
    let tokens = ["A", "B"].map { name in
      counter.observe(\.count, options: [.old, .new]) { counter, change in
        received.append("\(name): \(change.oldValue ?? 0) → \(change.newValue ?? 0)")
        if name == "A", change.newValue == 1 { counter.count = 2 }
      }
    }
    counter.count = 1
    #expect(received == ["A: 0 → 1", "B: 0 → 1", "A: 1 → 2", "B: 1 → 2"])
    withExtendedLifetime((tokens, counter)) {}
  }
}
