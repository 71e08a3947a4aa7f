/// The edits of an array as one change (P49).
///
/// Elements are not moved by edits, so the elements that remain keep their order. The composition
/// follows each of them: those that remain are kept or replaced, and what is between two of them was
/// removed, inserted, or both. An element that was inserted and removed again leaves nothing.
struct EditComposition: Sendable {
  private(set) var runs: EditRunTree
  /// The number of elements before the edits.
  let formerCount: Int
  /// The numbers of elements before the edits that were removed, or have others in their positions.
  private(set) var removedCount = 0
  private(set) var replacedCount = 0
  /// The number of elements that only the array after the edits has.
  private(set) var insertedCount = 0
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
    case .insertion: edit.forEachRange { insert($0) }
    case .removal: edit.forEachRangeReversed { remove($0) }
    case .replacement: edit.forEachRange { replace($0) }
    }
  }

  /// Adds a change of which only the result is known.
  private mutating func addSetting() {
    isExact = false
    runs = EditRunTree(count: 0)
  }

  private mutating func insert(_ range: Range<Int>) {
    runs.edit(range.lowerBound..<range.lowerBound, inserting: .inserted(range.count))
    insertedCount += range.count
  }

  private mutating func remove(_ range: Range<Int>) {
    runs.edit(range) { position in
      switch position.run.kind {
      case .kept:
        removedCount += position.run.count
      case .replaced:
        replacedCount -= position.run.count
        removedCount += position.run.count
      case .exchanged: insertedCount -= position.run.count
      }
      return position.run.removed
    }
  }

  private mutating func replace(_ range: Range<Int>) {
    runs.edit(range) { position in
      if position.run.kind == .kept {
        replacedCount += position.run.count
      }
      return position.run.replaced
    }
  }

  // MARK: Result

  /// The kind of the composed change: that of all that is left, else `setting`; nil if nothing is
  /// left.
  var kind: KeyValueChangeKind? {
    if !isExact { return .setting }
    switch (removedCount > 0, insertedCount > 0, replacedCount > 0) {
    case (false, false, false): return nil
    case (true, false, false): return .removal
    case (false, true, false): return .insertion
    case (false, false, true): return .replacement
    default: return .setting
    }
  }

  /// The composed change as one edit; nil if its kind is `setting`, or nothing is left.
  ///
  /// - Complexity: O(*m*) for *m* edits.
  var edit: Edit? { kind == .setting ? nil : edits.first }

  /// Edits that make the composed change, in this order: one of each kind that is left.
  ///
  /// - Complexity: O(*m*) for *m* edits.
  var edits: [Edit] {
    guard isExact else { return [] }
    let indexes = indexes
    var edits: [Edit] = []
    if replacedCount > 0 { edits.append(Edit(.replacement, at: indexes.replaced)) }
    if removedCount > 0 { edits.append(Edit(.removal, at: indexes.removed)) }
    if insertedCount > 0 { edits.append(Edit(.insertion, at: indexes.inserted)) }
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
