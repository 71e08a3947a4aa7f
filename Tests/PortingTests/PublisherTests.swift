import KeyValueObserving
import Testing

@Suite("Porting @Published and publisher(for:)")
struct PublisherTests {
  // guide: publisher
  @KeyValueObservable
  final class Search {
    var query = ""
    var hits = 0
    var summary: String { "\(hits) for '\(query)'" }
  }
  // end

  @Test("P9, P21, P24: what a publisher sent is observed once the property has the value")
  func observing() throws {
    try expectPrints("publisher") {
      // guide: publisher
      let search = Search()
      var observations: Set<KeyValueObservation> = []
      search.observe(\.query, options: [.initial, .distinct]) { search, _ in
        print("'\(search.query)'")
      }.store(in: &observations)  // prints ''
      search.observe(\.summary, options: .new) { _, change in
        print(change.newValue ?? "")
      }.store(in: &observations)
      search.query = "swift"
      // prints 'swift'
      // prints 0 for 'swift'
      search.hits = 3  // prints 3 for 'swift'
      observations.removeAll()
      // end
    }
  }
}
