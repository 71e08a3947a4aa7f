import KeyValueObserving

// Programs of which a history is compared with the model of it.
extension TransactionRun {
  /// Whether the groups are compared with those of the model.
  var comparesGroups: Bool { program.traits.contains(.names) }

  func nameGroup(_ name: String) {
    history?.setGroupName(name)
    if isInTransaction { historyModel.nameOfNext = name } else { historyModel.nameLast(name) }
  }

  func endCoalescing() {
    history?.endCoalescing()
    historyModel.endCoalescing()
  }

  func removeAllGroups() {
    history?.removeAll()
    historyModel.removeAll()
  }

  func takeBackInModel(isUndo: Bool) {
    guard let history else { return }
    let before = state
    let name = isUndo ? "undo (P59)" : "redo (P59)"
    do {
      if isUndo { try history.undo() } else { try history.redo() }
      if isInTransaction { return fail("\(name) in a transaction did not throw (P62)") }
    } catch {
      return isInTransaction ? () : fail("\(name) threw \(error)")
    }
    let values = historyModel.takeBack(isUndo: isUndo, isRecorded: pauses == 0) { before[$0] }
    var expected = before
    for (place, value) in values ?? [:] { expected.set(value, at: place) }
    compare(state, with: expected, name)
  }

  /// Compares the groups after a step that has made changes, or after any other.
  func checkGroups(_ step: Step, before: ProgramState) {
    guard let history else { return }
    if step != .undo, step != .redo { historyModel.add(recordedValues(before)) }
    let model = historyModel
    let (names, expected) = (
      [history.undoName, history.redoName], [model.undoName, model.redoName]
    )
    if history.canUndo != !model.undoGroups.isEmpty || history.canRedo != !model.redoGroups.isEmpty
    {
      fail("\(model.undoGroups.count) groups to undo, \(model.redoGroups.count) to redo (P58, P61)")
    }
    if names != expected { fail("the names are \(names), not \(expected) (P61)") }
  }

  /// The former values of the properties whose changes are recorded (P58).
  private func recordedValues(_ before: ProgramState) -> [ItemPlace: Value] {
    var values: [ItemPlace: Value] = [:]
    for (place, touch) in touches[0].places where touch.isRecorded {
      // A `BranchItem` computes it.
      if place.key == .y, TransactionProgram.isBranch(place.item) { continue }
      values[place] = before[place]
    }
    return values
  }
}

extension TransactionRun.ProgramState {
  subscript(place: ItemPlace) -> Value { items[place.item]?.values[place.key] ?? .none }

  fileprivate mutating func set(_ value: Value, at place: ItemPlace) {
    // Only a `BranchItem` has a bonus, which is a part of its `y`.
    if place.key == .bonus, case .number(let former) = self[place],
      case .number(let number) = value,
      case .number(let sum) = self[ItemPlace(item: place.item, key: .y)]
    {
      items[place.item]?.values[.y] = .number(sum + number - former)
    }
    items[place.item]?.values[place.key] = value
  }
}
