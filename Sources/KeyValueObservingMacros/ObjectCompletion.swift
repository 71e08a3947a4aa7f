import SwiftSyntax

/// The place in the body of an initializer at which the object becomes complete.
///
/// It is the call of `super.init`, or else the assignment that gives the last property its first value. Each block of
/// a statement may have one.
final class ObjectCompletion {
  /// The properties that have no value at first.
  ///
  /// Those that nothing is assigned to here get it in another way.
  let missing: [String]
  private let callsSuper: Bool
  private var known: [SyntaxIdentifier: Effects] = [:]

  init(by body: CodeBlockSyntax, of names: Set<String>) {
    let effects = Effects(of: body, skippingExits: false)
    missing = effects.stored.intersection(names).sorted()
    callsSuper = effects.callsSuper
  }

  /// Whether the object is complete from the beginning, unless Swift calls the initializer of the superclass.
  var isAtOnce: Bool { missing.isEmpty && !callsSuper }

  /// Whether the object is complete before an expression is evaluated.
  func precedes(_ node: some SyntaxProtocol) -> Bool {
    if isAtOnce { return false }
    var missing = Set(missing)
    var child = Syntax(node)
    while let parent = child.parent, !parent.is(InitializerDeclSyntax.self) {
      if let items = parent.as(CodeBlockItemListSyntax.self) {
        for item in items where item.position < child.position {
          let effects = effects(of: item)
          if effects.callsSuper { return true }
          missing.subtract(effects.stored)
        }
        if missing.isEmpty, !callsSuper { return true }
      }
      child = parent
    }
    return false
  }

  private func effects(of item: CodeBlockItemSyntax) -> Effects {
    if let effects = known[item.id] { return effects }
    let effects = Effects(of: item, skippingExits: true)
    known[item.id] = effects
    return effects
  }
}

/// The properties that a statement assigns to, and whether it calls `super.init`.
private final class Effects: SyntaxVisitor {
  private(set) var stored: Set<String> = []
  private(set) var callsSuper = false
  /// Whether blocks are left out that do not run before what follows: they leave the initializer, or run at its end.
  private let skippingExits: Bool

  init(of node: some SyntaxProtocol, skippingExits: Bool) {
    self.skippingExits = skippingExits
    super.init(viewMode: .sourceAccurate)
    walk(node)
  }

  override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
    skippingExits && node.last.map { Syntax($0.item) }?.isExit == true
      ? .skipChildren : .visitChildren
  }

  override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
    if !skippingExits { return .visitChildren }
    walk(node.conditions)
    return .skipChildren
  }

  override func visit(_ node: DeferStmtSyntax) -> SyntaxVisitorContinueKind {
    skippingExits ? .skipChildren : .visitChildren
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    if node.base?.is(SuperExprSyntax.self) == true,
      node.declName.baseName.tokenKind == .keyword(.`init`)
    {
      callsSuper = true
    }
    if node.base?.isSelf == true, ExprSyntax(node).isAssigned {
      stored.insert(node.declName.baseName.unescapedName)
      return .skipChildren
    }
    if let base = node.base { walk(base) }
    return .skipChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.baseName.unescapedName
    if ExprSyntax(node).isAssigned, !LocalScope(of: node).binds(name) { stored.insert(name) }
    return .skipChildren
  }
}

extension Syntax {
  fileprivate var isExit: Bool { self.is(ReturnStmtSyntax.self) || self.is(ThrowStmtSyntax.self) }
}
