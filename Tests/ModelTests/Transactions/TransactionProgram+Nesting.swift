extension TransactionProgram {
  /// The same program where the body of each nested transaction without an error is a part of the one around it.
  var flattened: TransactionProgram {
    TransactionProgram(
      traits: traits,
      steps: steps.map { step in
        // A transaction that may be taken back keeps objects that are deallocated inside otherwise (P54).
        var nesting = Nesting(
          losesObjects: traits.contains(.deallocations), rollsBack: step.rollsBack)
        return step.mapBody { nesting.flattened($0) }
      })
  }

  /// The same program without the nested transactions whose changes are taken back.
  var withoutRollbacks: TransactionProgram {
    TransactionProgram(
      traits: traits,
      steps: steps.map { step in
        // One that is taken back keeps the objects that it has set, too.
        let dropsObject = step.contains { if case .drop = $0 { true } else { false } }
        return dropsObject ? step : step.mapBody { $0.compactMap(\.unlessRolledBack) }
      })
  }
}

extension Step {
  /// Changes what is in a transaction.
  fileprivate func mapBody(_ change: ([Step]) -> [Step]) -> Step {
    guard case .transaction(let form, let body) = self else { return self }
    return .transaction(form, change(body))
  }

  /// Whether it is a transaction that may be taken back.
  fileprivate var rollsBack: Bool {
    if case .transaction(let form, _) = self { form.rollsBack } else { false }
  }

  /// The properties with objects that it changes.
  fileprivate var links: Set<LinkPlace> {
    let own: Set<LinkPlace> =
      switch self {
      case .set(let variable, let key, _), .setByKey(let variable, let key, _),
        .scope(let variable, let key, _), .pair(let variable, let key, _),
        .will(let variable, let key), .did(let variable, let key):
        key.isLink ? [LinkPlace(variable: variable, key: key)] : []
      default: []
      }
    return body.reduce(into: own) { $0.formUnion($1.links) }
  }

  fileprivate var unlessRolledBack: Step? {
    guard case .transaction(let form, let body) = self else { return self }
    let isTakenBack =
      form.rollsBack && !form.passesErrorOn && form.silenced.isEmpty && body.last == .fail
    if isTakenBack, !contains({ !$0.isTakenBack }) { return nil }
    return .transaction(form, body.compactMap(\.unlessRolledBack))
  }

  /// Whether nothing is left of it when a transaction around it is rolled back.
  private var isTakenBack: Bool {
    switch self {
    case .observe, .end, .make, .drop, .bind, .unbind, .group, .source, .will, .did, .pair: false
    case .undo, .redo, .endCoalescing, .removeAllGroups: false
    default: true
    }
  }
}

/// A property of the item of a variable that holds an object.
private struct LinkPlace: Hashable {
  let variable: Int
  let key: ItemKey
}

/// A transaction, of which the nested ones become a part.
private struct Nesting {
  /// Whether objects may be deallocated inside that it does not keep.
  let losesObjects: Bool
  /// Whether it may be taken back, itself or with one around it.
  let rollsBack: Bool
  /// The properties with objects that it has changed.
  var links: Set<LinkPlace> = []

  mutating func flattened(_ steps: [Step]) -> [Step] { steps.flatMap { flattened($0) } }

  private mutating func flattened(_ step: Step) -> [Step] {
    defer { links.formUnion(step.links) }
    guard case .transaction(let form, let body) = step else { return [step] }
    if form.silenced.isEmpty, !step.contains({ $0 == .fail }), !keepsOtherObjects(form, step) {
      return flattened(body)
    }
    var nested = Nesting(losesObjects: losesObjects, rollsBack: rollsBack || form.rollsBack)
    return [.transaction(form, nested.flattened(body))]
  }

  /// Whether a nested transaction keeps objects that its steps alone would not (P54).
  ///
  /// One that may be taken back does, if this one may not be. Otherwise it keeps the object that it replaces in a
  /// property, also if this one has set that.
  private func keepsOtherObjects(_ form: TransactionForm, _ nested: Step) -> Bool {
    guard losesObjects else { return false }
    return rollsBack ? !links.isDisjoint(with: nested.links) : form.rollsBack
  }
}
