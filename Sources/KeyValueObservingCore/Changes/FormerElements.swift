/// Elements that edits have removed from an array or replaced, with their indexes before all edits.
struct FormerElements<Element> {
  private struct Run {
    /// The index of the first element before all edits.
    let start: Int
    /// Its index in `elements`.
    let offset: Int
    var count: Int

    var end: Int { start + count }
  }

  /// The elements, in the order in which they were appended.
  private(set) var elements: [Element] = []
  private var runs: [Run] = []

  mutating func append(_ added: ArraySlice<Element>, at start: Int) {
    if let last = runs.last, last.end == start {
      runs[runs.count - 1].count += added.count
    } else {
      runs.append(Run(start: start, offset: elements.count, count: added.count))
    }
    elements += added
  }

  /// The elements in ascending order of their indexes.
  ///
  /// - Complexity: O(*m* log *m*) for *m* elements.
  func sorted() -> FormerElements {
    if runs.count < 2 { return self }
    var sorted = FormerElements()
    sorted.elements.reserveCapacity(elements.count)
    for run in runs.sorted(by: { $0.start < $1.start }) {
      sorted.append(elements[run.offset..<(run.offset + run.count)], at: run.start)
    }
    return sorted
  }

  /// The elements at adjacent indexes, if the elements are sorted.
  ///
  /// - Complexity: O(log *m*) for *m* elements.
  func inOrder(at indexes: Range<Int>) -> ArraySlice<Element> {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].end <= indexes.lowerBound { low = middle + 1 } else { high = middle }
    }
    let first = runs[low].offset + indexes.lowerBound - runs[low].start
    return elements[first..<(first + indexes.count)]
  }

  /// The elements at some indexes, if the elements are sorted.
  func inOrder(at indexes: RangeSet<Int>) -> [Element] {
    var found: [Element] = []
    for range in indexes.ranges { found += inOrder(at: range) }
    return found
  }
}

extension FormerElements: Sendable where Element: Sendable {}
