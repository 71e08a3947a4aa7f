import SwiftSyntax

/// Points a property's accesses to itself, inside its own `willSet` or `didSet`, at its storage.
///
/// Swift reads and writes the storage there without running the observers again, but only for
/// `self` and only outside closures and local functions. The same accesses are rewritten, and no
/// others: an assignment from a closure is a change like any other.
final class OwnAccessRewriter: SyntaxRewriter {
  private let name: String
  private let storage: TokenSyntax
  private let parameter: String

  init(property: TokenSyntax, storage: TokenSyntax, observer: AccessorDeclSyntax) {
    name = property.unescapedName
    self.storage = storage
    let isWillSet = observer.accessorSpecifier.tokenKind == .keyword(.willSet)
    parameter = observer.parameters?.name.unescapedName ?? (isWillSet ? "newValue" : "oldValue")
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> ExprSyntax {
    guard refersToProperty(node) else { return ExprSyntax(node) }
    return ExprSyntax(renamed(node))
  }

  /// Visits the base only: the member belongs to the base's type, which is ours for `self`.
  override func visit(_ node: MemberAccessExprSyntax) -> ExprSyntax {
    guard let base = node.base else { return ExprSyntax(node) }
    let isOwn =
      base.isSelf && node.declName.isPlain(name) && LocalScope(of: node).reachesObserver
    guard isOwn else { return ExprSyntax(node.with(\.base, visit(base))) }
    return ExprSyntax(node.with(\.declName, renamed(node.declName)))
  }

  /// Spells out `if let title`, where the one name is both what is read and what is bound.
  override func visit(_ node: OptionalBindingConditionSyntax) -> OptionalBindingConditionSyntax {
    guard node.initializer == nil,
      let bound = node.pattern.as(IdentifierPatternSyntax.self)?.identifier,
      bound.unescapedName == name, isVisible(at: node)
    else { return super.visit(node) }
    let initializer = InitializerClauseSyntax(
      equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
      value: DeclReferenceExprSyntax(baseName: storage),
      trailingTrivia: node.trailingTrivia
    )
    return node.with(\.trailingTrivia, []).with(\.initializer, initializer)
  }

  /// Leaves key paths alone: their components are members of the root.
  override func visit(_ node: KeyPathExprSyntax) -> ExprSyntax {
    ExprSyntax(node)
  }

  private func refersToProperty(_ node: DeclReferenceExprSyntax) -> Bool {
    node.isPlain(name) && isVisible(at: node)
  }

  private func isVisible(at node: some SyntaxProtocol) -> Bool {
    let scope = LocalScope(of: node)
    return name != parameter && scope.reachesObserver && !scope.binds(name)
  }

  private func renamed(_ node: DeclReferenceExprSyntax) -> DeclReferenceExprSyntax {
    node.with(
      \.baseName,
      storage
        .with(\.leadingTrivia, node.baseName.leadingTrivia)
        .with(\.trailingTrivia, node.baseName.trailingTrivia)
    )
  }
}

extension ExprSyntax {
  fileprivate var isSelf: Bool {
    self.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self)
  }
}

extension DeclReferenceExprSyntax {
  /// Whether this names a property `name`, not a function with argument labels.
  fileprivate func isPlain(_ name: String) -> Bool {
    argumentNames == nil && baseName.unescapedName == name
  }
}
