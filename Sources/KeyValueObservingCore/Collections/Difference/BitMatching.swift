/// A longest common subsequence of two arrays of numbers, of which many occur often.
///
/// The current array is halved. The former array is divided where its parts have most numbers in common
/// with the halves, which are then matched with them in the same way. This is how Hirschberg does it, in
/// linear memory. The counts are found for sixty-four places of the former array at a time, with the row
/// of bits that is due to Crochemore and Hyyrö.
///
/// - Complexity: O(*n* · *m* / 64) for arrays of *n* and *m* numbers.
struct BitMatching {
  private let former: [Int]
  private let current: [Int]
  /// The first and the last of the `masks` of each number; -1 if it has none.
  private var ends: [(first: Int, last: Int)]
  private var masks: [Mask] = []

  /// The places of a number among sixty-four.
  private struct Mask {
    let word: Int
    var bits: UInt
    /// The index of the next mask of the number; -1 if it is the last.
    var next = -1
  }

  /// - `limit`: All numbers are less than that, and none is negative.
  init(_ former: [Int], _ current: [Int], below limit: Int) {
    self.former = former
    self.current = current
    ends = Array(repeating: (-1, -1), count: limit)
  }

  /// Calls `body` with the places of each two numbers that are matched.
  mutating func forEachMatch(_ body: (_ former: Int, _ current: Int) -> Void) {
    match(former.indices, current.indices, body)
  }

  private mutating func match(
    _ former: Range<Int>, _ current: Range<Int>, _ body: (Int, Int) -> Void
  ) {
    var (former, current) = (former, current)
    while let old = former.first, let new = current.first, self.former[old] == self.current[new] {
      body(old, new)
      former.removeFirst()
      current.removeFirst()
    }
    while let old = former.last, let new = current.last, self.former[old] == self.current[new] {
      body(old, new)
      former.removeLast()
      current.removeLast()
    }
    if former.isEmpty || current.isEmpty { return }
    if current.count == 1 {
      let number = self.current[current.lowerBound]
      if let place = former.first(where: { self.former[$0] == number }) {
        body(place, current.lowerBound)
      }
      return
    }
    let middle = current.lowerBound + current.count / 2
    let halves = (current[..<middle], current[middle...])
    let before = commonCounts(former, halves.0)
    let behind = commonCounts(former.reversed(), halves.1.reversed())
    var (most, split) = (-1, 0)
    for place in 0...former.count {
      let count = before[place] + behind[former.count - place]
      if count > most { (most, split) = (count, place) }
    }
    match(former.prefix(split), halves.0, body)
    match(former.dropFirst(split), halves.1, body)
  }

  /// The lengths of longest common subsequences: at each index, of so many numbers of the former array
  /// and all of the current one.
  private mutating func commonCounts(
    _ former: some Collection<Int>, _ current: some Collection<Int>
  ) -> [Int] {
    noteMasks(of: former)
    // A zero stands where one more number is in common.
    var row = Array(repeating: UInt.max, count: (former.count + 63) / 64)
    for place in current { extend(&row, with: self.current[place]) }
    for place in former { ends[self.former[place]] = (-1, -1) }
    masks.removeAll(keepingCapacity: true)
    var counts: [Int] = [0]
    counts.reserveCapacity(former.count + 1)
    for index in 0..<former.count {
      let isCommon = row[index / 64] & (1 << (index % 64)) == 0
      counts.append(counts[index] + (isCommon ? 1 : 0))
    }
    return counts
  }

  private mutating func noteMasks(of former: some Collection<Int>) {
    for (index, place) in former.enumerated() {
      let number = self.former[place]
      let last = ends[number].last
      let bit: UInt = 1 << (index % 64)
      if last >= 0, masks[last].word == index / 64 {
        masks[last].bits |= bit
        continue
      }
      if last >= 0 { masks[last].next = masks.count } else { ends[number].first = masks.count }
      ends[number].last = masks.count
      masks.append(Mask(word: index / 64, bits: bit))
    }
  }

  /// Adds one number of the current array to the row.
  private func extend(_ row: inout [UInt], with number: Int) {
    var next = ends[number].first
    var word = 0
    var carries = false
    while next >= 0 || carries {
      if !carries { word = masks[next].word }
      if word == row.count { return }
      var bits: UInt = 0
      if next >= 0, masks[next].word == word {
        bits = masks[next].bits
        next = masks[next].next
      }
      let rest = row[word]
      let (sum, overflows) = rest.addingReportingOverflow(rest & bits)
      let (total, carryOverflows) = sum.addingReportingOverflow(carries ? 1 : 0)
      row[word] = total | (rest & ~bits)
      carries = overflows || carryOverflows
      word += 1
    }
  }
}
