/// The elements of an array that a later version of it still has.
///
/// The elements that stay are a longest common subsequence of both versions, so that the differences
/// are the fewest that there can be. The algorithm depends on the elements:
///
/// - Elements that can be hashed or ordered are numbered. If few numbers repeat, `ChainMatching`
///   takes the time of sorting, however many elements differ. If many do, `GreedyMatching` finds up
///   to a thousand differences, and `BitMatching` any number of them, except in arrays for which
///   even that takes too long.
/// - All other elements, and numbers in such arrays, are left to `GreedyMatching`. Above a thousand
///   differences, its result need not have the fewest.
@usableFromInline
struct ElementMatching {
  /// For each element of the former version, whether it was removed.
  @usableFromInline
  private(set) var isRemoved: [Bool]
  /// For each element of the current version, whether it was inserted.
  @usableFromInline
  private(set) var isInserted: [Bool]

  /// Compares two versions whose elements can only be compared with each other.
  ///
  /// - Parameters:
  ///   - formerCount: How many elements the former version has.
  ///   - currentCount: How many elements the current version has.
  ///   - areSame: Whether an element of the former version is one of the current version, given the
  ///     offsets of both.
  @usableFromInline
  init(_ formerCount: Int, _ currentCount: Int, areSame: (Int, Int) -> Bool) {
    isRemoved = Array(repeating: true, count: formerCount)
    isInserted = Array(repeating: true, count: currentCount)
    GreedyMatching.forEachMatch(formerCount, currentCount, areSame) { match($0, $1) }
  }

  /// Compares two versions whose elements are numbered.
  @usableFromInline
  init(_ elements: NumberedElements) {
    isRemoved = Array(repeating: true, count: elements.former.count)
    isInserted = Array(repeating: true, count: elements.current.count)
    // An element that only one version has is a difference that need not be searched for.
    let former = elements.former.indices.filter { elements.isShared(elements.former[$0]) }
    let current = elements.current.indices.filter { elements.isShared(elements.current[$0]) }
    let formerNumbers = former.map { elements.former[$0] }
    let currentNumbers = current.map { elements.current[$0] }
    let occurrences = Occurrences(of: currentNumbers, below: elements.count)
    if occurrences.pairCount(with: formerNumbers) <= 16 * (former.count + current.count) {
      ChainMatching(formerNumbers, occurrences).forEachMatch { match(former[$0], current[$1]) }
      return
    }
    func areSame(_ former: Int, _ current: Int) -> Bool {
      formerNumbers[former] == currentNumbers[current]
    }
    let greedy = GreedyMatching(former.indices, current.indices, areSame)
    if greedy.isComplete {
      greedy.forEachMatch { match(former[$0], current[$1]) }
    } else if former.count * current.count <= 1 << 30 {
      var bits = BitMatching(formerNumbers, currentNumbers, below: elements.count)
      bits.forEachMatch { match(former[$0], current[$1]) }
    } else {
      GreedyMatching.forEachMatch(former.count, current.count, areSame) {
        match(former[$0], current[$1])
      }
    }
  }

  private mutating func match(_ former: Int, _ current: Int) {
    isRemoved[former] = false
    isInserted[current] = false
  }
}
