extension TransactionProgram {
  /// The same program where the body of each nested transaction without an error is a part of the one around it.
  var flattened: TransactionProgram {
    TransactionProgram(
      traits: traits,
      steps: steps.map { step in
        // A transaction that may be taken back keeps objects that are deallocated inside otherwise (P54).
        let keepsRollbacks = traits.contains(.deallocations) && !step.rollsBack
        return step.mapBody { $0.flatMap { $0.flattened(keepingRollbacks: keepsRollbacks) } }
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

  /// - `keepsRollbacks`: Whether it stays a transaction if it may be taken back.
  fileprivate func flattened(keepingRollbacks keepsRollbacks: Bool) -> [Step] {
    guard case .transaction(let form, let body) = self else { return [self] }
    let inner = body.flatMap { $0.flattened(keepingRollbacks: keepsRollbacks) }
    let isKept =
      !form.silenced.isEmpty || contains { $0 == .fail } || keepsRollbacks && form.rollsBack
    return isKept ? [.transaction(form, inner)] : inner
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
