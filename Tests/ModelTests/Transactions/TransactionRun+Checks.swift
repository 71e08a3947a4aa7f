import KeyValueObserving

// The invariants after each step of a program, whatever it was.
extension TransactionRun {
  func check(_ step: Step, before: ProgramState, hasActed: Bool, hasLost: Bool) {
    if comparesGroups {
      checkGroups(step, before: before)
    } else {
      checkHistory(step, before: before)
    }
    if program.traits.contains(.conversions) {
      checkBoundValues(step, before: before)
    } else {
      checkBindings(step, hasActed: hasActed)
    }
    guard !hasActed, program.traits.isDisjoint(with: [.pairs, .bindings]) else { return }
    let isTransaction: Bool
    switch step {
    case .transaction: isTransaction = true
    case .set, .add, .append, .edit, .member: isTransaction = false
    default: return
    }
    let touched = touches[0].places
    for stream in streams {
      checkCount(of: stream, touched, hasLost: hasLost, isTransaction: isTransaction)
    }
    // The end of an object is a change of its own, behind the others (P54).
    if isTransaction, !hasLost { checkOrder(touched) }
  }

  func compare(_ state: ProgramState, with former: ProgramState, _ name: String) {
    if state.entries != former.entries {
      fail("\(name): the entries are \(state.entries), not \(former.entries)")
    }
    for (number, item) in state.items {
      guard let formerItem = former.items[number] else { continue }
      for (key, value) in item.values {
        var expected = formerItem.values[key] ?? .none
        // The object of a weak property is gone.
        if key == .friend, case .node(let target) = expected, state.items[target] == nil {
          expected = .none
        }
        if value != expected { fail("\(name): #\(number).\(key) is \(value), not \(expected)") }
      }
    }
  }

  // MARK: Observers

  private func checkCount(
    of stream: Stream, _ touched: [ItemPlace: Touches.Touch], hasLost: Bool, isTransaction: Bool
  ) {
    let count = stream.received.count
    guard !stream.hasEnded, let present = stream.value else { return }
    if hasLost, stream.isNamed { return stream.becomeUnclear() }
    if stream.start == nil, stream.isNamed { return stream.becomeUnclear() }
    guard let start = stream.start else {
      if count > 1, !hasLost { stream.fail("\(count) changes in one step, registered in it (P53)") }
      return
    }
    let concerning = touched.filter {
      start.values.contains($0.key) || start.links.contains($0.key)
    }
    let others = concerning.values.filter { !$0.silenced.contains(stream.watch.observer) }
    let isSilenced = !concerning.isEmpty && others.isEmpty
    // Edits that cancel out are no change (P49).
    if stream.isNamed, !others.isEmpty, others.allSatisfy(\.isEdited) {
      return stream.becomeUnclear()
    }
    // The end of an object is a change of its own, behind the others (P54).
    if hasLost { return stream.isNamed ? stream.becomeUnclear() : () }
    if isSilenced {
      // One that has received a prior notification before receives its change all the same (P47).
      if stream.priorCount > 0 { return stream.becomeUnclear() }
      if count > 0 {
        stream.fail("received \(count) changes that were made in its name (P57)")
      }
      return stream.passOver()
    }
    if stream.watch.wants(.distinct) {
      let expected = present == start.value ? 0 : 1
      if count != expected {
        stream.fail("\(count) changes from \(start.value) to \(present) (P9)")
      }
      return
    }
    let hasChanged = !concerning.isEmpty || stream.priorCount > 0
    let hasNoEffect = present == start.value && concerning.values.allSatisfy(\.isEdited)
    let mayBeNone = stream.priorCount == 0 && hasNoEffect
    // One that was named at first has received no prior notification, and a change of values that were taken
    // back all the same.
    if stream.isNamed, stream.watch.wants(.prior) { return }
    if count != (hasChanged ? 1 : 0), !(mayBeNone && count == 0) {
      stream.fail(
        "\(count) changes in place of \(hasChanged ? 1 : 0), from \(start.value) to \(present) (P44)"
      )
    }
    if count == 1, let change = stream.received.first {
      checkReason(of: change, stream, concerning.keys, mayOnlyFollowPrior: hasNoEffect)
    }
  }

  /// - `mayOnlyFollowPrior`: Whether all changes have been taken back, or may cancel out.
  private func checkReason(
    of change: Event, _ stream: Stream, _ concerning: some Collection<ItemPlace>,
    mayOnlyFollowPrior: Bool
  ) {
    let isPathChanged = concerning.contains { stream.start?.links.contains($0) == true }
    if !concerning.isEmpty, (change.reason == .pathChanged) == isPathChanged { return }
    if mayOnlyFollowPrior, change.reason == stream.reasonOfPrior { return }
    stream.fail(
      "\(change), where \(isPathChanged ? "an" : "no") object was set, and the prior notification had "
        + "\(stream.reasonOfPrior.map { "\($0)" } ?? "no reason") (P46, P47)")
  }

  /// Keys come in the order of their first change, dependents behind them (P46).
  private func checkOrder(_ touched: [ItemPlace: Touches.Touch]) {
    var direct: [Int: ItemPlace] = [:]
    var dependents: Set<Int> = []
    for stream in streams where stream.start != nil {
      guard let root = stream.root, stream.priorCount == 0 else { continue }
      let key = stream.watch.path[0]
      if stream.watch.path.count == 1, ItemKey.stored.contains(key),
        !(key == .y && root is BranchItem)
      {
        direct[stream.watch.observer] = ItemPlace(root, key)
      } else if stream.watch.path.count == 1, key.isComputed {
        dependents.insert(stream.watch.observer)
      }
    }
    let positions = Dictionary(
      streams.enumerated().map { ($1.watch.observer, $0) }, uniquingKeysWith: { max($0, $1) })
    var last = (time: 0, position: -1, observer: -1)
    var dependent: Int?
    for event in events[events.count - 1] where !event.isPrior {
      if dependents.contains(event.observer) { dependent = event.observer }
      // One that was taken back before has its place in the order already.
      guard let place = direct[event.observer], let touch = touched[place],
        !takenBack.contains(place)
      else { continue }
      if let dependent { fail("o\(event.observer) is notified behind o\(dependent) (P46)") }
      let position = positions[event.observer] ?? 0
      if (touch.first, position) < (last.time, last.position) {
        fail("o\(event.observer) is notified behind o\(last.observer) (P46)")
      }
      last = (touch.first, position, event.observer)
    }
  }

  // MARK: Undo

  private func checkHistory(_ step: Step, before: ProgramState) {
    guard let history else { return }
    if step == .undo || step == .redo { return }
    // Each group gets a name when it is complete, so one without is another.
    if history.canUndo, history.undoName == nil {
      history.setGroupName("\(self.step)")
      undoStates.append(before)
      redoStates = []
    } else {
      let present = state
      if present.items != before.items {
        compare(present, with: before, "without a group (P58)")
      }
    }
  }

  func takeBack(isUndo: Bool) {
    guard let history else { return }
    let present = state
    let actions = actionCount
    let name = isUndo ? "undo (P59)" : "redo (P59)"
    do {
      if isUndo { try history.undo() } else { try history.redo() }
      if isInTransaction { return fail("\(name) in a transaction did not throw (P62)") }
    } catch {
      // Changes that observers have made in another undo may be in conflict with this one (P60).
      let isKnown = (isUndo ? undoStates : redoStates).last.map { $0 != nil } ?? true
      if !isInTransaction, isKnown { fail("\(name) threw \(error)") }
      return
    }
    guard let former = isUndo ? undoStates.popLast() : redoStates.popLast() else {
      return compare(state, with: present, "\(name) of nothing (P62)")
    }
    if isUndo { redoStates.append(present) } else { undoStates.append(present) }
    if history.canUndo != !undoStates.isEmpty || history.canRedo != !redoStates.isEmpty {
      fail("\(name): \(undoStates.count) groups to undo, \(redoStates.count) to redo")
    }
    if actionCount > actions {
      // Changes that observers make meanwhile are taken back with this one, so the other groups lead elsewhere.
      if isUndo {
        undoStates = undoStates.map { _ in nil }
      } else {
        redoStates = redoStates.map { _ in nil }
      }
      return
    }
    guard var expected = former else { return }
    // Entries of dictionaries are not recorded.
    expected.entries = present.entries
    compare(state, with: expected, name)
  }

  // MARK: Bindings

  private func checkBindings(_ step: Step, hasActed: Bool) {
    for (form, token) in bindings.values where token.isActive {
      let sides = [form.first, form.second].map { side in
        item(side.root)?.end(of: side.path).map { $0.read(side.path[side.path.count - 1]) }
      }
      if let one = sides[0], let other = sides[1], one != other {
        fail("the sides of binding \(form.number) are \(one) and \(other) (P63)")
      }
    }
    // A set in a mutation block has the rank of the block.
    let hasScope = step.contains { if case .scope = $0 { true } else { false } }
    if hasScope { return }
    if !hasActed { checkRanks() }
  }

  /// All sides that bindings connect have the value of the one that was set last (P65).
  private func checkRanks() {
    var groups: [Set<ItemPlace>] = []
    for (form, token) in bindings.values where token.isActive {
      var group: Set<ItemPlace> = []
      for side in [form.first, form.second] {
        guard side.path.count == 1, side.path != [.level], let item = item(side.root) else {
          return
        }
        group.insert(ItemPlace(item, side.path[0]))
      }
      let (joined, others) = (
        groups.filter { !$0.isDisjoint(with: group) }, groups.filter { $0.isDisjoint(with: group) }
      )
      groups = others + [joined.reduce(group) { $0.union($1) }]
    }
    let touched = touches[0].places
    for group in groups {
      let ranks = group.map { place in (place, touched[place]?.last ?? 0) }
      guard let last = ranks.max(by: { $0.1 < $1.1 }), last.1 > 0,
        let expected = valuesBeforeBindings[last.0]
      else { continue }
      for place in group {
        guard let value = state.items[place.item]?.values[place.key], value != expected else {
          continue
        }
        fail("#\(place.item).\(place.key) is \(value), not \(expected) as was set last (P65)")
      }
    }
  }
}
