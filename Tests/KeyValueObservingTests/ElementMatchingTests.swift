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

/// An element that can be hashed and counts how often it is compared.
private struct Ticket: Hashable {
  nonisolated(unsafe) static var comparisons = 0
  let number: Int

  static func == (left: Ticket, right: Ticket) -> Bool {
    comparisons += 1
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// An element that can be ordered and not hashed.
///
/// Its order may be coarser than its equality.
private struct Rank: Comparable {
  var number: Int
  var suit = 0

  static func < (left: Rank, right: Rank) -> Bool { left.number < right.number }
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
  var tickets: [Ticket] = []
  var nested: [[Int]?] = []
  var ranks: [Rank] = []
  var blanks: [Blank] = []
  var numbers: [Int] = []
  var decks: [Deck] = []
}

extension AllTests {
  @Suite("Comparing elements")
  struct ElementMatchingTests {
    private let deck = Deck()

    /// Assigns one array after another, and returns the delivered difference.
    private func deliveredDifference(
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
        let found = deliveredDifference(from: former, to: current) ?? CollectionDifference([])!
        let fewest = current.difference(from: former)
        #expect(found.count == fewest.count, "\(former) → \(current)")
        #expect(former.map(Card.init).applying(found) == current.map(Card.init))
      }
    }

    @Test("P37: thousands of other elements are found without comparing each with each")
    func allOthers() throws {
      let difference = try #require(
        deliveredDifference(from: Array(0..<1500), to: Array(1500..<3000)))
      #expect(difference.removals.count == 1500)
      #expect(difference.insertions.count == 1500)
      #expect(Card.comparisons < 1500 * 1500)
    }

    @Test("P37: elements unequal to themselves are found without comparing each with each")
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
      let difference = try #require(deliveredDifference(from: former, to: current))
      #expect(difference.removals.map(\.offset) == Array(0..<1100) + [1199])
      #expect(difference.insertions.map(\.offset) == Array(0..<1100))
    }

    @Test("P37: elements that can be hashed, and objects, are compared in the same way")
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

    /// How many differences are received when an array of numbers is replaced by another, and whether
    /// they make one of the other.
    private func received(
      from former: [Int], to current: [Int]
    ) -> (count: Int, isRight: Bool) {
      deck.numbers = former
      var difference = CollectionDifference<Int>([])!
      let token = deck.observeElements(of: \.numbers) { _, change in difference = change.difference
      }
      deck.numbers = current
      token.invalidate()
      return (difference.count, former.applying(difference) == current)
    }

    @Test(
      "P37: unique elements in another order have the fewest differences, however many there are",
      arguments: [250, 1000, 5000, 20_000])
    func reordered(count: Int) {
      let former = Array(0..<count)
      let half = count / 2
      let rows: [(String, [Int], fewest: Int)] = [
        ("reversed", former.reversed(), 2 * (count - 1)),
        ("rotated", Array(former[half...] + former[..<half]), count),
        ("a part moved", Array(former[100...] + former[..<100]), 200),
        ("every third", former.map { $0 % 3 == 0 ? -$0 - 1 : $0 }, 2 * ((count + 2) / 3)),
        ("pairs swapped", former.map { $0 ^ 1 }, count),
      ]
      for (name, current, fewest) in rows {
        let (found, isRight) = received(from: former, to: current)
        #expect(found == fewest, "\(name)")
        #expect(isRight, "\(name)")
      }
    }

    @Test("P37: a shuffle of unique elements has as few differences as the standard library finds")
    func shuffledNumbers() {
      let former = Array(0..<700)
      let current = former.shuffled()
      let (found, isRight) = received(from: former, to: current)
      #expect(found == current.difference(from: former).count, "\(current)")
      #expect(isRight)
    }

    @Test(
      "P37: repeated elements have the fewest differences, however often they are repeated",
      arguments: [2, 3, 20, 200, 2000])
    func repeated(symbols: Int) {
      func array() -> [Int] { (0..<1500).map { _ in Int.random(in: 0..<symbols) } }
      let (former, current) = (array(), array())
      let (found, isRight) = received(from: former, to: current)
      #expect(found == current.difference(from: former).count, "\(former) → \(current)")
      #expect(isRight)
    }

    @Test("P37: a reorder of elements that can be hashed compares each a few times")
    func comparisons() {
      let count = 10_000
      deck.tickets = (0..<count).map(Ticket.init)
      var received = 0
      let token = deck.observeElements(of: \.tickets) { _, change in
        received = change.difference.count
      }
      let reversed = Array(deck.tickets.reversed())
      Ticket.comparisons = 0
      deck.tickets = reversed
      #expect(received == 2 * (count - 1))
      #expect(Ticket.comparisons < 8 * count)
      token.invalidate()
    }

    @Test("P37: objects, and elements whose type can be hashed conditionally, take the same way")
    func kinds() {
      let decks = (0..<2000).map { _ in Deck() }
      deck.decks = decks
      deck.nested = (0..<2000).map { $0 % 7 == 0 ? nil : [$0, $0 + 1] }
      var counts: [Int] = []
      let tokens = [
        deck.observeElements(of: \.decks) { _, change in counts.append(change.difference.count) },
        deck.observeElements(of: \.nested) { _, change in counts.append(change.difference.count) },
      ]
      deck.decks = Array(decks[1000...] + decks[..<1000])
      deck.nested.replaceSubrange(..<1500, with: deck.nested[..<1500].map { $0.map { [-$0[0]] } })
      #expect(counts == [2000, 2 * (1500 - 215)])
      tokens.forEach { $0.invalidate() }
    }

    @Test("P37: elements that can be ordered and not hashed have the fewest differences as well")
    func ordered() {
      deck.ranks = (0..<3000).map { Rank(number: $0) }
      let former = deck.ranks
      var difference = CollectionDifference<Rank>([])!
      let token = deck.observeElements(of: \.ranks) { _, change in difference = change.difference }
      deck.ranks = Array(former[1500...] + former[..<1500])
      #expect(difference.count == 3000)
      #expect(former.applying(difference) == deck.ranks)
      token.invalidate()
    }

    @Test("P37: an order that does not distinguish all elements leads to no wrong differences")
    func coarselyOrdered() {
      deck.ranks = (0..<600).map { Rank(number: $0 / 10, suit: $0 % 10) }
      let former = deck.ranks
      var difference = CollectionDifference<Rank>([])!
      let token = deck.observeElements(of: \.ranks) { _, change in difference = change.difference }
      deck.ranks = (0..<600).map { former[($0 / 10 + 30) % 60 * 10 + 9 - $0 % 10] }
      #expect(difference.count == deck.ranks.difference(from: former).count)
      #expect(former.applying(difference) == deck.ranks)
      token.invalidate()
    }

    @Test("P37: a sort by proxy of thousands of elements removes and inserts those in other places")
    func sorted() {
      deck.numbers = (0..<3000).reversed()
      var difference = CollectionDifference<Int>([])!
      let token = deck.observeElements(of: \.numbers) { _, change in difference = change.difference
      }
      deck.mutableArrayValue(for: \.numbers).sort()
      #expect((0..<3000).reversed().applying(difference) == Array(0..<3000))
      #expect(difference.count == 6000)
      token.invalidate()
    }

    @Test("P37: a shuffle is delivered so that the former array becomes the current one")
    func shuffled() throws {
      let former = Array(0..<800)
      let current = former.shuffled()
      let difference = try #require(deliveredDifference(from: former, to: current))
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
