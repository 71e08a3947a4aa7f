extension TransactionProgram {
  /// The same program where the body of each nested transaction without an error is a part of the one around it.
  var flattened: TransactionProgram {
    TransactionProgram(traits: traits, steps: steps.map { $0.mapBody { $0.flatMap(\.flattened) } })
  }

  /// The same program without the nested transactions whose changes are taken back.
  var withoutRollbacks: TransactionProgram {
    TransactionProgram(
      traits: traits, steps: steps.map { $0.mapBody { $0.compactMap(\.unlessRolledBack) } })
  }
}

extension Step {
  /// Changes what is in a transaction.
  fileprivate func mapBody(_ change: ([Step]) -> [Step]) -> Step {
    guard case .transaction(let form, let body) = self else { return self }
    return .transaction(form, change(body))
  }

  fileprivate var flattened: [Step] {
    guard case .transaction(let form, let body) = self else { return [self] }
    let inner = body.flatMap(\.flattened)
    if !form.silenced.isEmpty || contains({ $0 == .fail }) { return [.transaction(form, inner)] }
    return inner
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
    case .observe, .end, .make, .drop, .bind, .unbind, .undo, .redo, .will, .did, .pair: false
    default: true
    }
  }
}
