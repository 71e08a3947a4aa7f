/// A longest common subsequence of two versions of an array, as far as they can be compared with a
/// thousand differences.
///
/// This is the greedy algorithm of Myers: it finds out how many elements can be matched with no
/// difference, with one, with two, until all are compared. So it finds the fewest differences.
///
/// - Complexity: O(*n* + *d*²) for *n* elements and *d* differences, in memory for *d*².
struct GreedyMatching {
  // The offsets of the elements to compare.
  private let former: Range<Int>
  private let current: Range<Int>
  /// How many elements can be matched with so many differences, which is the first index, of which so
  /// many are removals, which is the second; -1 if there are not so many elements.
  private var matched: [[Int]] = []
  /// How many removals are among the differences of the way that came farthest.
  private var removals = 0

  private static var mostDifferences: Int { 1000 }

  init(_ former: Range<Int>, _ current: Range<Int>, _ areSame: (Int, Int) -> Bool) {
    self.former = former
    self.current = current
    repeat {
      appendRound(areSame)
    } while !isComplete && differences < GreedyMatching.mostDifferences
  }

  private var differences: Int { matched.count - 1 }
  /// How many elements of each version are compared.
  var formerCount: Int { matched[differences][removals] + removals }
  var currentCount: Int { matched[differences][removals] + differences - removals }

  /// Whether all elements are compared.
  var isComplete: Bool { formerCount == former.count && currentCount == current.count }

  /// Finds out how far one comes with one difference more.
  private mutating func appendRound(_ areSame: (Int, Int) -> Bool) {
    let differences = matched.count
    let before = matched.last ?? []
    var round: [Int] = []
    round.reserveCapacity(differences + 1)
    removals = 0
    for removals in 0...differences {
      let insertions = differences - removals
      var count = lastDifference(of: differences, removals, after: before).matched
      while count >= 0, count + removals < former.count, count + insertions < current.count {
        let (old, new) = offsets(behind: count, removals, insertions)
        guard areSame(old, new) else { break }
        count += 1
      }
      round.append(count)
      // Of several ways, the one that takes as much from one version as from the other.
      let farthest = round[self.removals]
      if count > farthest || count == farthest && removals <= insertions {
        self.removals = removals
      }
    }
    matched.append(round)
  }

  /// The offsets of the elements that follow so many matches, removals and insertions.
  private func offsets(
    behind count: Int, _ removals: Int, _ insertions: Int
  ) -> (former: Int, current: Int) {
    (former.lowerBound + count + removals, current.lowerBound + count + insertions)
  }

  /// How many elements are matched before the last of so many differences, and whether that is a
  /// removal, given what is matched with one difference less.
  private func lastDifference(
    of differences: Int, _ removals: Int, after before: [Int]
  ) -> (matched: Int, isRemoval: Bool) {
    if differences == 0 { return (0, false) }
    let insertions = differences - removals
    let inserting =
      insertions > 0 && before[removals] + insertions <= current.count ? before[removals] : -1
    let removing =
      removals > 0 && before[removals - 1] + removals <= former.count ? before[removals - 1] : -1
    return removing > inserting ? (removing, true) : (inserting, false)
  }

  /// Calls `body` with the offsets of each two elements that are the same.
  func forEachMatch(_ body: (_ former: Int, _ current: Int) -> Void) {
    var removals = removals
    for differences in stride(from: differences, through: 0, by: -1) {
      let (before, isRemoval) = lastDifference(
        of: differences, removals, after: differences == 0 ? [] : matched[differences - 1])
      for count in before..<matched[differences][removals] {
        let (old, new) = offsets(behind: count, removals, differences - removals)
        body(old, new)
      }
      if isRemoval { removals -= 1 }
    }
  }
}

extension GreedyMatching {
  /// Calls `body` with the offsets of each two elements that are matched.
  ///
  /// After a thousand differences the comparison is restarted behind what is compared already, so
  /// more of them may not be the fewest.
  ///
  /// - `areSame`: Whether an element of the former version is one of the current version,
  ///   given the offsets of both.
  static func forEachMatch(
    _ formerCount: Int, _ currentCount: Int, _ areSame: (Int, Int) -> Bool,
    body: (_ former: Int, _ current: Int) -> Void
  ) {
    var (former, current) = (0..<formerCount, 0..<currentCount)
    while !former.isEmpty, !current.isEmpty {
      let matching = GreedyMatching(former, current, areSame)
      matching.forEachMatch(body)
      former = former.dropFirst(matching.formerCount)
      current = current.dropFirst(matching.currentCount)
    }
  }
}
