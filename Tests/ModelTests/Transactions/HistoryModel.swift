/// The groups of a history, as the guarantees say: the values that each gives back (P58…P61).
struct HistoryModel {
  struct Group {
    /// The former values of what has changed.
    var values: [ItemPlace: Value]
    var name: String?
    var isClosed = false
  }

  private(set) var undoGroups: [Group] = []
  private(set) var redoGroups: [Group] = []
  let traits: TransactionProgram.Traits
  /// The name that the group of the open transaction gets.
  var nameOfNext: String?

  init(_ traits: TransactionProgram.Traits) { self.traits = traits }

  var undoName: String? { undoGroups.last?.name }
  var redoName: String? { redoGroups.last?.name }

  mutating func nameLast(_ name: String) {
    if !undoGroups.isEmpty { undoGroups[undoGroups.count - 1].name = name }
  }

  mutating func endCoalescing() {
    if !undoGroups.isEmpty { undoGroups[undoGroups.count - 1].isClosed = true }
  }

  mutating func removeAll() { (undoGroups, redoGroups) = ([], []) }

  /// Adds the changes of a step, which had these values before.
  mutating func add(_ values: [ItemPlace: Value]) {
    let name = nameOfNext
    nameOfNext = nil
    if values.isEmpty { return }
    redoGroups = []
    if !joinsLast(values, name) { undoGroups.append(Group(values: values, name: name)) }
    dropOldest()
  }

  private func joinsLast(_ values: [ItemPlace: Value], _ name: String?) -> Bool {
    guard traits.contains(.coalescing), name == nil, let last = undoGroups.last else {
      return false
    }
    return !last.isClosed && last.name == nil && values.count == 1
      && Set(last.values.keys) == Set(values.keys)
  }

  private mutating func dropOldest() {
    if traits.contains(.limit) {
      undoGroups.removeFirst(max(undoGroups.count - TransactionProgram.historyLimit, 0))
    }
  }

  /// Takes a group back, and returns the values that are set; nil if there is none.
  ///
  /// - `present`: Returns a present value.
  /// - `isRecorded`: Whether the opposite is recorded.
  mutating func takeBack(
    isUndo: Bool, isRecorded: Bool, present: (ItemPlace) -> Value
  ) -> [ItemPlace: Value]? {
    guard let group = isUndo ? undoGroups.popLast() : redoGroups.popLast() else { return nil }
    endCoalescing()
    let opposite = Group(
      values: Dictionary(uniqueKeysWithValues: group.values.keys.map { ($0, present($0)) }),
      name: group.name, isClosed: true)
    if isRecorded {
      if isUndo { redoGroups.append(opposite) } else { undoGroups.append(opposite) }
      dropOldest()
    }
    return group.values
  }
}
