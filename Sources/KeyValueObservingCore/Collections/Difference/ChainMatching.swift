/// A longest common subsequence of two arrays of numbers, of which few occur often.
///
/// This is the algorithm of Hunt and Szymanski. Pairs of equal numbers are visited in the order of the
/// former array. A chain is a series of pairs whose indexes ascend in both arrays; of all chains of
/// one length, the one that ends first in the current array is kept, since every pair that extends
/// another extends this one too. If no number is repeated, this is patience sorting.
///
/// - Complexity: O(*p* log *n*) for *p* pairs of equal numbers, in memory for *p* pairs.
struct ChainMatching {
  private struct Pair {
    let former: Int
    let current: Int
    /// The index of the pair before it in its chain; -1 if it is the first.
    let previous: Int
  }

  private var pairs: [Pair] = []
  /// For each length, the last pair of the chain that is kept, and that pair's place in the current
  /// array.
  ///
  /// The places ascend.
  private var ends: [(pair: Int, current: Int)] = []

  init(_ former: [Int], _ current: Occurrences) {
    for (place, number) in former.enumerated() {
      // From the last, so that no chain has two pairs with one place of the former array.
      for match in current[number].reversed() { extend(with: place, match) }
    }
  }

  private mutating func extend(with former: Int, _ current: Int) {
    let length = chainLength(before: current)
    if length < ends.count, ends[length].current == current { return }
    let end = (pair: pairs.count, current: current)
    pairs.append(
      Pair(former: former, current: current, previous: length == 0 ? -1 : ends[length - 1].pair))
    if length == ends.count { ends.append(end) } else { ends[length] = end }
  }

  /// The length of the longest chain that ends before a place in the current array.
  private func chainLength(before current: Int) -> Int {
    // Mostly the order is the same, and the pair extends the longest chain.
    if let last = ends.last, last.current < current { return ends.count }
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle].current < current { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Calls `body` with the places of each two numbers that are matched, from the last to the first.
  func forEachMatch(_ body: (_ former: Int, _ current: Int) -> Void) {
    var index = ends.last?.pair ?? -1
    while index >= 0 {
      body(pairs[index].former, pairs[index].current)
      index = pairs[index].previous
    }
  }
}
