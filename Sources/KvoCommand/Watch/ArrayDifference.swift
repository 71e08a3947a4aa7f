/// The elements of an array that a later version of it still has.
///
/// Elements that both versions begin or end with are the same. In between, equal elements are
/// paired, as many as keep their order; then, between two of these, objects with an equal member
/// `"id"`. The remaining elements between two pairs are paired in order, as far as both versions
/// go: an object was edited there, or a value was replaced by another. So an element that moves is
/// removed and inserted.
///
/// - Complexity: O(*n* log *n*) for *n* elements, O(*n*) if they differ in one place.
struct ArrayDifference: Equatable {
  /// The places of elements before and after, both in ascending order.
  private(set) var pairs: [Pair] = []
  /// The indexes of removed elements, in the former version.
  private(set) var removals = RangeSet<Int>()
  /// The indexes of inserted elements, in the current version.
  private(set) var insertions = RangeSet<Int>()

  struct Pair: Equatable {
    let former: Int
    let current: Int
  }

  init(from former: [JSONValue], to current: [JSONValue]) {
    pairs.reserveCapacity(min(former.count, current.count))
    let gap = Gap(former: former.indices, current: current.indices)
    pair(gap, of: Versions(former: former, current: current), by: [{ $0 }, \.id])
    var gone = 0
    var come = 0
    for pair in pairs + [Pair(former: former.count, current: current.count)] {
      removals.insert(contentsOf: gone..<pair.former)
      insertions.insert(contentsOf: come..<pair.current)
      (gone, come) = (pair.former + 1, pair.current + 1)
    }
  }

  fileprivate typealias Key = (JSONValue) -> JSONValue?

  fileprivate struct Versions {
    let former: [JSONValue]
    let current: [JSONValue]
  }

  /// A part of both versions in which no elements are paired yet.
  fileprivate struct Gap {
    var former: Range<Int>
    var current: Range<Int>
  }

  /// Pairs what is in a gap: what is equal at its ends, then what has the same key, then the rest.
  private mutating func pair(_ gap: Gap, of versions: Versions, by keys: ArraySlice<Key>) {
    let start = versions.commonStart(of: gap)
    let end = versions.commonEnd(of: gap, behind: start)
    let former = gap.former.dropFirst(start).dropLast(end)
    let current = gap.current.dropFirst(start).dropLast(end)
    append(gap.former.prefix(start), gap.current)
    if former.isEmpty || current.isEmpty {
      // All remaining elements were removed or inserted.
    } else if let key = keys.first {
      var rest = Gap(former: former, current: current)
      for anchor in versions.anchors(in: rest, by: key) {
        pair(rest.split(at: anchor), of: versions, by: keys.dropFirst())
        pairs.append(anchor)
      }
      pair(rest, of: versions, by: keys.dropFirst())
    } else {
      append(former, current)
    }
    append(gap.former.suffix(end), gap.current.suffix(end))
  }

  private mutating func append(_ former: Range<Int>, _ current: Range<Int>) {
    for (former, current) in zip(former, current) {
      pairs.append(Pair(former: former, current: current))
    }
  }
}

extension ArrayDifference.Gap {
  /// Takes off what is before a pair, and the pair.
  fileprivate mutating func split(at pair: ArrayDifference.Pair) -> Self {
    defer {
      former = (pair.former + 1)..<former.upperBound
      current = (pair.current + 1)..<current.upperBound
    }
    return Self(
      former: former.lowerBound..<pair.former, current: current.lowerBound..<pair.current)
  }
}

extension ArrayDifference.Versions {
  fileprivate func commonStart(of gap: ArrayDifference.Gap) -> Int {
    zip(gap.former, gap.current).prefix { former[$0] == current[$1] }.count
  }

  fileprivate func commonEnd(of gap: ArrayDifference.Gap, behind start: Int) -> Int {
    zip(gap.former.dropFirst(start).reversed(), gap.current.dropFirst(start).reversed())
      .prefix { former[$0] == current[$1] }.count
  }

  /// Pairs of elements with the same key, as many as have the same order in both versions.
  ///
  /// If a key occurs several times, the first is paired with the first, and so on.
  fileprivate func anchors(
    in gap: ArrayDifference.Gap, by key: ArrayDifference.Key
  ) -> [ArrayDifference.Pair] {
    var places: [JSONValue: [Int]] = [:]
    for place in gap.current.reversed() {
      if let key = key(current[place]) { places[key, default: []].append(place) }
    }
    var pairs: [ArrayDifference.Pair] = []
    for place in gap.former {
      if let key = key(former[place]), let partner = places[key]?.popLast() {
        pairs.append(ArrayDifference.Pair(former: place, current: partner))
      }
    }
    return longestAscending(pairs)
  }

  /// The most pairs whose current places ascend; the former ones do.
  private func longestAscending(_ pairs: [ArrayDifference.Pair]) -> [ArrayDifference.Pair] {
    /// The end of the best chain of each length, so far.
    var ends: [Int] = []
    var predecessors: [Int?] = []
    for (index, pair) in pairs.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if pairs[ends[middle]].current < pair.current { low = middle + 1 } else { high = middle }
      }
      predecessors.append(low == 0 ? nil : ends[low - 1])
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var chain: [ArrayDifference.Pair] = []
    var next = ends.last
    while let index = next {
      chain.append(pairs[index])
      next = predecessors[index]
    }
    return chain.reversed()
  }
}

extension JSONValue {
  /// The member that identifies an object in many documents.
  fileprivate var id: JSONValue? {
    guard case .object(let object) = self, let id = object["id"] else { return nil }
    switch id {
    case .string, .number: return id
    default: return nil
    }
  }

  /// Whether two values are versions of one object, as far as can be said.
  func isSameObject(as other: JSONValue) -> Bool {
    guard case .object = self, case .object = other else { return false }
    return id == nil || other.id == nil || id == other.id
  }
}
