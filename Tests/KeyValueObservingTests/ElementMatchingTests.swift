import KeyValueObserving
import Testing

/// An element that cannot be hashed and counts how often it is compared.
private struct Card: Equatable {
  nonisolated(unsafe) static var comparisons = 0
  let number: Int

  static func == (left: Card, right: Card) -> Bool {
    comparisons += 1
    return left.number == right.number
  }
}

/// An element that equals none, itself included, as a NaN.
private struct Blank: Hashable {
  nonisolated(unsafe) static var comparisons = 0

  static func == (left: Blank, right: Blank) -> Bool {
    comparisons += 1
    return false
  }
}

@KeyValueObservable
private final class Deck {
  var cards: [Card] = []
  var blanks: [Blank] = []
  var numbers: [Int] = []
  var decks: [Deck] = []
}

extension AllTests {
  @Suite("Comparing elements")
  struct ElementMatchingTests {
    private let deck = Deck()

    /// Assigns one array after another, and returns what was told of it.
    private func told(
      from former: [Int], to current: [Int]
    ) -> CollectionDifference<Card>? {
      deck.cards = former.map(Card.init)
      var difference: CollectionDifference<Card>?
      let token = deck.observeElements(of: \.cards) { _, change in difference = change.difference }
      Card.comparisons = 0
      deck.cards = current.map(Card.init)
      token.invalidate()
      return difference
    }

    @Test("P37: the differences are as few as those that the standard library finds")
    func fewest() {
      var generator = SystemRandomNumberGenerator()
      for _ in 0..<40 {
        let symbols = Int.random(in: 1...40, using: &generator)
        func array() -> [Int] {
          (0..<Int.random(in: 80...120, using: &generator)).map { _ in
            Int.random(in: 0..<symbols, using: &generator)
          }
        }
        let (former, current) = (array(), array())
        let found = told(from: former, to: current) ?? CollectionDifference([])!
        let fewest = current.difference(from: former)
        #expect(found.count == fewest.count, "\(former) → \(current)")
        #expect(former.map(Card.init).applying(found) == current.map(Card.init))
      }
    }

    @Test("P37: other elements by the thousand are told without comparing each with each")
    func allOthers() throws {
      let difference = try #require(told(from: Array(0..<1500), to: Array(1500..<3000)))
      #expect(difference.removals.count == 1500)
      #expect(difference.insertions.count == 1500)
      #expect(Card.comparisons < 1500 * 1500)
    }

    @Test("P37: elements that do not equal themselves are told without comparing each with each")
    func unequalToThemselves() {
      deck.blanks = Array(repeating: Blank(), count: 1000)
      var counts: [Int] = []
      let token = deck.observeElements(of: \.blanks) { _, change in
        counts += [change.removals.count, change.insertions.count]
      }
      Blank.comparisons = 0
      deck.blanks.append(Blank())
      #expect(counts == [1000, 1001])
      #expect(Blank.comparisons < 10_000)
      token.invalidate()
    }

    @Test("P37: what is behind more differences than are looked for at once is found")
    func far() throws {
      let former = Array(0..<1100) + Array(10_000..<10_100)
      let current = Array(5000..<6100) + Array(10_000..<10_099)
      let difference = try #require(told(from: former, to: current))
      #expect(difference.removals.map(\.offset) == Array(0..<1100) + [1199])
      #expect(difference.insertions.map(\.offset) == Array(0..<1100))
    }

    @Test("P37: elements that can be hashed, and objects, are told in the same way")
    func hashed() {
      let decks = (0..<100).map { _ in Deck() }
      for _ in 0..<20 {
        let former = (0..<150).map { _ in Int.random(in: 0..<100) }
        let current = (0..<150).map { _ in Int.random(in: 0..<100) }
        deck.numbers = former
        deck.decks = former.map { decks[$0] }
        var numbers = CollectionDifference<Int>([])!
        var places: [[Int]] = []
        let tokens = [
          deck.observeElements(of: \.numbers) { _, change in numbers = change.difference },
          deck.observeElements(of: \.decks) { _, change in
            places = [change.removals.map(\.offset), change.insertions.map(\.offset)]
          },
        ]
        deck.numbers = current
        deck.decks = current.map { decks[$0] }
        tokens.forEach { $0.invalidate() }
        #expect(numbers.count == current.difference(from: former).count)
        #expect(former.applying(numbers) == current)
        #expect(places == [numbers.removals.map(\.offset), numbers.insertions.map(\.offset)])
      }
    }

    @Test("P37: what is behind thousands of elements that only one array has is found")
    func behindOthers() {
      deck.numbers = Array(-3000..<1000)
      var offsets: [Int] = []
      let token = deck.observeElements(of: \.numbers) { _, change in
        offsets = change.removals.map(\.offset)
        #expect(change.insertions.isEmpty)
      }
      deck.numbers = Array(0..<500) + Array(501..<999)
      #expect(offsets == Array(0..<3000) + [3500, 3999])
      token.invalidate()
    }

    @Test("P37: a shuffle is told so that the former array becomes the current one")
    func shuffled() throws {
      let former = Array(0..<800)
      let current = former.shuffled()
      let difference = try #require(told(from: former, to: current))
      #expect(former.map(Card.init).applying(difference) == current.map(Card.init))
    }
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
