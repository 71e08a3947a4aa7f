/// A kind of step that random programs have to contain, so that they test it.
enum StepKind: CaseIterable {
  case pair, pairOfComputedKey
  case scope, scopeAroundChanges, scopeOfComputedKey
  case mutation, bulkEdit, manualEdit
  case override
  case endInPrior, manySets
  // The relations of pairs to each other and to other statements.
  case openPair, pairAroundChanges, nestedPairs

  /// The kinds of which a single statement is.
  static let ofStatements = allCases.prefix { $0 != .openPair }
}

extension Program {
  /// The kinds of steps that the program contains.
  var kinds: Set<StepKind> {
    statements.reduce(into: pairKinds) { $0.formUnion($1.kinds) }
  }

  /// How the halves of pairs follow each other.
  private var pairKinds: Set<StepKind> {
    var kinds: Set<StepKind> = []
    var open: [(place: [String], index: Int)] = []
    for (index, statement) in statements.enumerated() {
      switch statement {
      case .will(let variable, let key, _):
        if !open.isEmpty { kinds.insert(.nestedPairs) }
        open.append((["\(variable)", key.rawValue], index))
      case .did(let variable, let key, _):
        let place = ["\(variable)", key.rawValue]
        guard let last = open.lastIndex(where: { $0.place == place }) else { continue }
        kinds.insert(key.isComputed ? .pairOfComputedKey : .pair)
        if open[last].index < index - 1 { kinds.insert(.pairAroundChanges) }
        open.remove(at: last)
      default: break
      }
    }
    if !open.isEmpty { kinds.insert(.openPair) }
    return kinds
  }
}

extension Statement {
  /// The kinds of the statement itself.
  var ownKinds: Set<StepKind> {
    switch self {
    case .set(let variable, let key, _):
      Program.isBranch(variable) && [.y, .bonus].contains(key) ? [.override] : []
    case .mutate: [.mutation]
    case .edit(_, _, by: .block), .edit(_, _, by: .pair): [.manualEdit]
    case .edit(_, .append, _), .edit(_, .removeAll, _), .edit(_, .sort, _): [.bulkEdit]
    case .burst(_, _, let numbers): numbers.count > 100 ? [.manySets] : []
    case .scope(_, let key, _) where key.isComputed: [.scopeOfComputedKey]
    case .scope(_, let key, let body):
      body.allSatisfy { $0.isSet(of: key) } ? [.scope] : [.scope, .scopeAroundChanges]
    case .did(_, let key, _): key.isComputed ? [.pairOfComputedKey] : [.pair]
    case .observe(let registration): registration.priorActions.isEmpty ? [] : [.endInPrior]
    default: []
    }
  }

  /// The kinds of the statement and of those in it, without the halves of pairs.
  fileprivate var kinds: Set<StepKind> {
    let inner: [Statement] =
      switch self {
      case .scope(_, _, let body): body
      case .observe(let registration): registration.actions
      default: []
      }
    return inner.reduce(into: ownKinds.subtracting([.pair, .pairOfComputedKey])) {
      $0.formUnion($1.kinds)
    }
  }

  /// Whether it sets a property, of whatever node.
  func isSet(of key: Key) -> Bool {
    if case .set(_, key, _) = self { true } else { false }
  }
}
