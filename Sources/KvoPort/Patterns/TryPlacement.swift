internal import SwiftSyntax

/// The position of a `try` that covers a call.
struct TryPlacement {
  let edits: [Edit]

  init(_ keyword: String, of call: FunctionCallExprSyntax) {
    var node = Syntax(call)
    // The rest of the expression, such as `.count` behind the call, is covered as well.
    while let parent = node.parent, Self.isCovered(parent, by: node) { node = parent }
    guard let list = node.parent?.as(ExprListSyntax.self),
      let position = Array(list).firstIndex(where: { $0.id == node.id })
    else {
      edits = [.insert(keyword + " ", at: node.start)]
      return
    }
    let elements = Array(list)
    if keyword == "try" {
      // A `try` on the right of an operator is none for its left side, nor for `&&` and `??` themselves.
      let start = Self.beginning(of: elements, before: position)
      edits = [.insert(keyword + " ", at: start.start)]
      return
    }
    // `try?` makes an optional of the value, which a cast or an operator behind it must not be part of.
    let isLast = position == elements.count - 1
    let isFirst = position == 0 || elements[position - 1].is(AssignmentExprSyntax.self)
    if isFirst, keyword != "try?" || isLast {
      edits = [.insert(keyword + " ", at: node.start)]
    } else {
      edits = [.insert("(\(keyword) ", at: node.start), .insert(")", at: node.end)]
    }
  }

  /// The element behind the last assignment, in the outermost expression of which this one is an operand in
  /// parentheses.
  private static func beginning(of elements: [ExprSyntax], before position: Int) -> ExprSyntax {
    let assignment = elements[..<position].lastIndex { $0.is(AssignmentExprSyntax.self) }
    let first = elements[assignment.map { $0 + 1 } ?? 0]
    guard let tuple = first.parent?.parent?.parent?.parent?.parent?.as(TupleExprSyntax.self),
      tuple.elements.count == 1, let list = tuple.parent?.as(ExprListSyntax.self),
      let outer = Array(list).firstIndex(where: { $0.id == tuple.id }), outer > 0
    else { return first }
    return beginning(of: Array(list), before: outer)
  }

  private static func isCovered(_ parent: Syntax, by node: Syntax) -> Bool {
    switch parent.as(SyntaxEnum.self) {
    case .memberAccessExpr(let parent): parent.base?.id == node.id
    case .functionCallExpr(let parent): parent.calledExpression.id == node.id
    case .subscriptCallExpr(let parent): parent.calledExpression.id == node.id
    case .optionalChainingExpr, .forceUnwrapExpr, .prefixOperatorExpr, .awaitExpr: true
    default: false
    }
  }
}

extension SyntaxProtocol {
  /// Whether a `try` covers an expression.
  var isTried: Bool {
    var current = parent
    while let node = current {
      if node.is(TryExprSyntax.self) { return true }
      if node.is(CodeBlockItemSyntax.self) || node.is(ClosureExprSyntax.self) { return false }
      // `try` in front of the first element covers the others.
      if let sequence = node.as(SequenceExprSyntax.self),
        sequence.elements.contains(where: { $0.is(TryExprSyntax.self) && $0.position < position })
      {
        return true
      }
      current = node.parent
    }
    return false
  }

  /// Whether an error that is thrown here reaches a function that throws, or a `catch`.
  var isWhereErrorsAreThrown: Bool {
    var current = parent
    var child = Syntax(self)
    while let node = current {
      switch node.as(SyntaxEnum.self) {
      case .doStmt(let node):
        let isBody = node.body.id == child.id
        if isBody, node.catchClauses.contains(where: \.catchesAll) { return true }
      case .functionDecl(let node):
        return node.signature.effectSpecifiers?.throwsClause.map { $0.type == nil } ?? false
      case .initializerDecl(let node):
        return node.signature.effectSpecifiers?.throwsClause.map { $0.type == nil } ?? false
      case .accessorDecl(let node): return node.effectSpecifiers?.throwsClause != nil
      case .closureExpr(let node): return node.signature?.effectSpecifiers?.throwsClause != nil
      case .variableDecl(let node) where node.modifiers.contains(.lazy): return false
      case .deferStmt, .deinitializerDecl, .accessorBlock, .memberBlock, .functionParameter:
        return false
      default: break
      }
      child = node
      current = node.parent
    }
    return false
  }
}

extension CatchClauseSyntax {
  /// Whether all errors are caught: `catch`, `catch let error` or `catch _`.
  fileprivate var catchesAll: Bool {
    catchItems.isEmpty
      || catchItems.contains { item in
        guard item.whereClause == nil, let pattern = item.pattern else { return false }
        if let binding = pattern.as(ValueBindingPatternSyntax.self) {
          return binding.pattern.is(IdentifierPatternSyntax.self)
        }
        return pattern.trimmedDescription == "_"
      }
  }
}
