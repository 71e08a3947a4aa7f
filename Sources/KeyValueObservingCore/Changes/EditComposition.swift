/// The edits of an array as one change (P49).
///
/// Elements are not moved by edits, so the elements that remain keep their order. The composition
/// follows each of them: those that remain are kept or replaced, and what is between two of them was
/// removed, inserted, or both. An element that was inserted and removed again leaves nothing.
struct EditComposition: Sendable {
  private(set) var runs: EditRunTree
  /// The number of elements before the edits.
  let formerCount: Int
  /// Whether all changes were edits, so that each element is known to remain or not.
  private(set) var isExact = true

  /// - `count`: The length of the array before the edits.
  init(count: Int) {
    runs = EditRunTree(count: count)
    formerCount = count
  }

  /// The length of the array; the last one that is known if it was set.
  var count: Int { runs.count }

  // MARK: Composing

  /// Adds an edit.
  ///
  /// An edit that does not fit the array makes the composition inexact: another thread has changed
  /// the array.
  ///
  /// - Complexity: O(*k* log *m*) on average for an edit of *k* elements, and *m* edits before it. An
  ///   insertion or removal of one range takes O(log *m*), amortized.
  mutating func add(_ edit: Edit) {
    guard isExact else { return }
    guard edit.fits(count: count) else { return addSetting() }
    switch edit.kind {
    case .setting: addSetting()
    // In this order, the ranges are those of the array as it is.
    case .insertion:
      edit.forEachRange { runs.edit($0.lowerBound..<$0.lowerBound, inserting: .inserted($0.count)) }
    case .removal: edit.forEachRangeReversed { runs.edit($0) { $0.removed } }
    case .replacement: edit.forEachRange { runs.edit($0) { $0.replaced } }
    }
  }

  /// Adds a change of which only the result is known.
  private mutating func addSetting() {
    isExact = false
    runs = EditRunTree(count: 0)
  }

  // MARK: Result

  /// Edits that make the composed change, in this order: one of each kind that is left.
  ///
  /// - Complexity: O(*m*) for *m* edits.
  var edits: [Edit] {
    guard isExact else { return [] }
    let indexes = indexes
    var edits: [Edit] = []
    if !indexes.replaced.isEmpty { edits.append(Edit(.replacement, at: indexes.replaced)) }
    if !indexes.removed.isEmpty { edits.append(Edit(.removal, at: indexes.removed)) }
    if !indexes.inserted.isEmpty { edits.append(Edit(.insertion, at: indexes.inserted)) }
    return edits
  }

  /// The indexes of the elements that were changed: of removed and replaced ones before all edits, of
  /// inserted ones after them.
  ///
  /// - Complexity: O(*m*) for *m* edits.
  var indexes: (removed: RangeSet<Int>, replaced: RangeSet<Int>, inserted: RangeSet<Int>) {
    var indexes = (removed: RangeSet<Int>(), replaced: RangeSet<Int>(), inserted: RangeSet<Int>())
    forEachRun { position in
      switch position.run.kind {
      case .kept: break
      case .replaced: indexes.replaced.insert(contentsOf: position.formerIndexes)
      case .exchanged:
        indexes.removed.insert(contentsOf: position.formerIndexes)
        indexes.inserted.insert(contentsOf: position.indexes)
      }
    }
    return indexes
  }

  /// Calls `body` with each run of elements that were treated alike, in order.
  ///
  /// The removed elements of a run and the inserted ones appear between the same elements. A run of
  /// replaced elements has as many after the edits as before.
  ///
  /// - Complexity: O(*m*) for *m* edits.
  func forEachRun(_ body: (EditRunTree.Position) -> Void) { runs.forEach(body) }
}

extension EditRunTree.Position {
  /// The indexes of the run before all edits.
  var formerIndexes: Range<Int> { formerStart..<(formerStart + run.formerCount) }
  /// The indexes of the run after all edits.
  var indexes: Range<Int> { start..<(start + run.count) }
}

extension Edit {
  /// Calls `body` with each range of indexes, in ascending order.
  fileprivate func forEachRange(_ body: (Range<Int>) -> Void) {
    if let range { return body(range) }
    indexes?.ranges.forEach(body)
  }

  /// Calls `body` with each range of indexes, in descending order.
  fileprivate func forEachRangeReversed(_ body: (Range<Int>) -> Void) {
    if let range { return body(range) }
    indexes?.ranges.reversed().forEach(body)
  }
}
