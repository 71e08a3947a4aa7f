// Functions of the queue, not of the state around it, which each of them would copy (row: set an input).
extension Queue<DerivedChange> {
  /// Inserts a change at its position in the order in which changes begin.
  @inline(__always)
  mutating func insert(_ change: consuming DerivedChange) {
    // Mostly it is the newest, and inserting retains it once more (row: top link replaced).
    if isEmpty || unmanaged(at: count - 1)._withUnsafeGuaranteedRef({ $0.number }) < change.number {
      append(change)
    } else {
      insert(change, at: firstIndex(behind: change.number))
    }
  }

  /// The index of the last change with a number that does not wait for an older one.
  @inline(__always)
  func index(of number: UInt64) -> Int? {
    // Mostly it is the newest.
    if isEmpty { return nil }
    let last = unmanaged(at: count - 1)
    if last._withUnsafeGuaranteedRef({ $0.number == number && $0.stage != .deferred }) {
      return count - 1
    }
    return index(of: number) { $0.stage != .deferred }
  }

  /// The index of a change.
  func index(of change: DerivedChange) -> Int? { index(of: change.number) { $0 === change } }

  @inline(never)
  private func index(of number: UInt64, where matches: (DerivedChange) -> Bool) -> Int? {
    var index = firstIndex(behind: number)
    while index > 0, self[index - 1].number == number {
      index -= 1
      if matches(self[index]) { return index }
    }
    return nil
  }

  /// The index after all changes up to a number.
  private func firstIndex(behind number: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].number <= number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
