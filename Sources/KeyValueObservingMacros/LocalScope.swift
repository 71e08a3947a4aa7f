import SwiftSyntax

/// The syntax between an expression and the body of the accessor or initializer around it.
struct LocalScope {
  /// Each node on the way up, with the child one came from.
  private let steps: [(parent: Syntax, child: Syntax)]

  init(of node: some SyntaxProtocol) {
    var steps: [(parent: Syntax, child: Syntax)] = []
    var child = Syntax(node)
    while let parent = child.parent, !parent.is(AccessorDeclSyntax.self),
      !parent.is(InitializerDeclSyntax.self)
    {
      steps.append((parent, child))
      child = parent
    }
    self.steps = steps
  }

  /// Whether the expression runs as part of the body itself: Swift treats what is in closures,
  /// local functions and local computed variables as code of others.
  var reachesObserver: Bool {
    !steps.contains { parent, _ in
      parent.is(ClosureExprSyntax.self) || parent.is(FunctionDeclSyntax.self)
        || parent.is(AccessorBlockSyntax.self) || parent.isProtocol((any DeclGroupSyntax).self)
    }
  }

  /// Whether a local declaration in scope has this name.
  func binds(_ name: String) -> Bool {
    steps.contains { parent, child in
      switch parent.as(SyntaxEnum.self) {
      case .codeBlockItemList(let items): items.declare(name, before: child)
      case .patternBindingList(let bindings): bindings.bind(name, before: child)
      case .conditionElementList(let conditions): conditions.bind(name, before: child)
      case .ifExpr(let node): child == Syntax(node.body) && node.conditions.bind(name)
      case .whileStmt(let node): child == Syntax(node.body) && node.conditions.bind(name)
      case .forStmt(let node): child != Syntax(node.sequence) && node.pattern.binds(name)
      case .switchCase(let node): child == Syntax(node.statements) && node.label.binds(name)
      case .switchCaseItem(let node): child != Syntax(node.pattern) && node.pattern.binds(name)
      case .catchClause(let node): child == Syntax(node.body) && node.catchItems.bind(name)
      case .catchItem(let node): child != node.pattern.map(Syntax.init) && node.binds(name)
      default: false
      }
    }
  }
}

extension CodeBlockItemListSyntax {
  /// Whether a statement before `child` declares the name for what follows it.
  ///
  /// Local functions are known from the start of their scope.
  fileprivate func declare(_ name: String, before child: Syntax) -> Bool {
    contains { item in
      switch Syntax(item.item).as(SyntaxEnum.self) {
      case .functionDecl(let function): function.name.unescapedName == name
      default: item.position < child.position && item.declares(name)
      }
    }
  }
}

extension CodeBlockItemSyntax {
  fileprivate func declares(_ name: String) -> Bool {
    switch Syntax(item).as(SyntaxEnum.self) {
    case .variableDecl(let variable): variable.bindings.contains { $0.pattern.binds(name) }
    case .guardStmt(let statement): statement.conditions.bind(name)
    case .ifConfigDecl(let conditional):
      conditional.clauses.contains { clause in
        clause.elements?.as(CodeBlockItemListSyntax.self)?.contains { $0.declares(name) } == true
      }
    default: false
    }
  }
}

extension PatternBindingListSyntax {
  /// Whether a binding before `child` declares the name for those that follow it.
  fileprivate func bind(_ name: String, before child: Syntax) -> Bool {
    contains { $0.position < child.position && $0.pattern.binds(name) }
  }
}

extension ConditionElementListSyntax {
  fileprivate func bind(_ name: String, before child: Syntax? = nil) -> Bool {
    contains { element in
      if let child, element.position >= child.position { return false }
      switch element.condition {
      case .optionalBinding(let binding): return binding.pattern.binds(name)
      case .matchingPattern(let match): return match.pattern.binds(name)
      default: return false
      }
    }
  }
}

extension SwitchCaseSyntax.Label {
  fileprivate func binds(_ name: String) -> Bool {
    guard case .case(let label) = self else { return false }
    return label.caseItems.contains { $0.pattern.binds(name) }
  }
}

extension CatchItemListSyntax {
  /// A `catch` without patterns binds `error`.
  fileprivate func bind(_ name: String) -> Bool {
    isEmpty ? name == "error" : contains { $0.binds(name) }
  }
}

extension CatchItemSyntax {
  fileprivate func binds(_ name: String) -> Bool {
    pattern?.binds(name) == true
  }
}

extension PatternSyntax {
  fileprivate func binds(_ name: String) -> Bool {
    let finder = BoundNames(viewMode: .sourceAccurate)
    finder.walk(self)
    return finder.names.contains(name)
  }
}

private final class BoundNames: SyntaxVisitor {
  private(set) var names: Set<String> = []

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
    names.insert(node.identifier.unescapedName)
    return .skipChildren
  }
}
