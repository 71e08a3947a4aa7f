// guide: readme
import KeyValueObserving
// end
import Testing

@Suite("The example of the README and the landing page")
struct ReadmeTests {
  // guide: readme
  @KeyValueObservable
  final class Person {
    var name: String
    init(name: String) { self.name = name }
  }

  @KeyValueObservable
  final class Article {
    var title = "Untitled"
    weak var author: Person?
    var byline: String { "\(title) by \(author?.name ?? "unknown")" }
  }
  // end

  @Test("P8, P21, P27: A computed property is observed through a weak reference")
  func example() throws {
    try expectPrints("readme") {
      // guide: readme
      let article = Article()
      let observation = article.onChange(of: \.byline) { print($0) }

      article.title = "Notes"  // prints Notes by unknown
      let ada = Person(name: "Ada")
      article.author = ada  // prints Notes by Ada
      ada.name = "Ada Lovelace"  // prints Notes by Ada Lovelace
      // end
      Transcript.current?.keep(ada)
      Transcript.current?.keep(observation)
    }
  }

  @Test("P2: The landing page observes old and new values")
  func oldAndNew() throws {
    let article = Article()
    try expectPrints("landing-observe") {
      // guide: landing-observe
      let titles = article.observe(\.title, options: [.old, .new]) { _, change in
        print(change.oldValue ?? "", "→", change.newValue ?? "")
      }
      article.title = "Observing"  // prints Untitled → Observing
      // end
      Transcript.current?.keep(titles)
    }
  }

  @Test("P26: Reasons on the landing page distinguish a changed value from a changed path")
  func reasons() throws {
    let article = Article()
    try expectPrints("landing-reasons") {
      // guide: landing-reasons
      let observer = KeyValueObserver(
        source: article, keyPath: \.author?.name, options: .new
      ) { change, reason in
        switch reason {
        case .valueChanged: print("The author changed the name.")
        case .pathChanged: print("The article has another author.")
        case .sourceDeleted: print("The article was deallocated.")
        }
      }
      let grace = Person(name: "Grace")
      article.author = grace  // prints The article has another author.
      grace.name = "Grace Hopper"  // prints The author changed the name.
      article.author = nil  // prints The article has another author.
      // end
      Transcript.current?.keep(grace)
      Transcript.current?.keep(observer)
    }
  }

  @Test("P6: An error on the landing page suggests the nearest key")
  func string() throws {
    let article = Article()
    try expectPrints("landing-string") {
      // guide: landing-string
      do {
        _ = try article.observe("author.nmae") { _, change in print(change) }
      } catch {
        print(error)  // prints Person has no key 'nmae'. Did you mean 'name'?
      }
      // end
    }
  }

  @Test("P41: The landing page iterates over values from the current one on")
  func values() async throws {
    let article = Article()
    try await expectPrints("landing-values") {
      // guide: landing-values
      let values = article.values(of: \.title)
      article.title = "Sequences"
      for await title in values {
        print(title)
        // prints Untitled
        // prints Sequences
        if title == "Sequences" { break }
      }
      // end
    }
  }
}
