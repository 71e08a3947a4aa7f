import TestSupport
import Testing

@testable import KvoCommand

@Suite struct ArrayDifferenceTests {
  /// Each letter is an element.
  @Test(arguments: [
    ("", "", "", [], []), ("abc", "abc", "abc", [], []), ("", "ab", "", [], [0, 1]),
    ("ab", "", "", [0, 1], []), ("abcd", "abxcd", "abcd", [], [2]),
    ("abcd", "acd", "acd", [1], []), ("abcd", "axcd", "abcd", [], []),
    ("abcdef", "xacdyzf", "acdef", [1], [0, 5]), ("abc", "bca", "bc", [0], [2]),
    ("aaaa", "aaxaa", "aaaa", [], [2]), ("abab", "baba", "bab", [0], [3]),
    ("axbyc", "azwbc", "axbc", [3], [2]),
  ])
  func `Elements that are equal stay, and others take the place of what is gone`(
    former: String, current: String, stay: String, removals: [Int], insertions: [Int]
  ) {
    let difference = ArrayDifference(from: values(former), to: values(current))
    #expect(difference.removals == places(removals))
    #expect(difference.insertions == places(insertions))
    let kept = Array(former)
    #expect(String(difference.pairs.map { kept[$0.former] }) == stay)
  }

  @Test func `Objects with the same id are the same, wherever they are between others`() {
    let former = [object(1, "a"), object(2, "b"), object(3, "c"), object(4, "d")]
    let current = [object(9, "x"), object(1, "A"), object(3, "C"), object(8, "y"), object(4, "D")]
    let difference = ArrayDifference(from: former, to: current)
    #expect(difference.pairs.map(\.former) == [0, 2, 3])
    #expect(difference.pairs.map(\.current) == [1, 2, 4])
    #expect(difference.removals == places([1]))
    #expect(difference.insertions == places([0, 3]))
  }

  @Test(arguments: 0..<200)
  func `Applied to the former version, a difference makes the current one`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let former = JSONValue.arbitraryArray(using: &random)
    let current = JSONValue.arbitraryArray(using: &random)
    let difference = ArrayDifference(from: former, to: current)
    var made = former
    made.removeSubranges(difference.removals)
    for range in difference.insertions.ranges {
      made.insert(contentsOf: current[range], at: range.lowerBound)
    }
    for pair in difference.pairs { made[pair.current] = current[pair.current] }
    #expect(made == current, "seed \(seed)")
    #expect(isAscending(difference.pairs.map(\.former)), "seed \(seed)")
    #expect(isAscending(difference.pairs.map(\.current)), "seed \(seed)")
  }

  @Test(arguments: 0..<50)
  func `An insertion among different elements is found, and nothing else`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let former = (0..<40).shuffled(using: &random).map { JSONValue.number(.integer($0)) }
    var current = former
    var inserted: Set<Int> = []
    for number in 100..<105 {
      let place = Int.random(in: 0...current.count, using: &random)
      current.insert(.number(.integer(number)), at: place)
    }
    for (place, value) in current.enumerated() where !former.contains(value) {
      inserted.insert(place)
    }
    let difference = ArrayDifference(from: former, to: current)
    #expect(difference.removals.isEmpty, "seed \(seed)")
    #expect(difference.insertions == places(inserted.sorted()), "seed \(seed)")
  }

  private func values(_ letters: String) -> [JSONValue] { letters.map { .string("\($0)") } }

  private func object(_ id: Int, _ content: String) -> JSONValue {
    .object(["id": .number(.integer(id)), "content": .string(content)])
  }

  private func places(_ places: [Int]) -> RangeSet<Int> {
    RangeSet(places.map { $0..<($0 + 1) })
  }

  private func isAscending(_ places: [Int]) -> Bool {
    zip(places, places.dropFirst()).allSatisfy(<)
  }
}
