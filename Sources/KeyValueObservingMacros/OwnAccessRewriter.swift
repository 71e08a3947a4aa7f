import SwiftSyntax

/// Points accesses to properties of `self` at their storage, where Swift would do so.
///
/// Inside a property's own `willSet` and `didSet`, and in an initializer, Swift reads and writes the
/// storage without running observers, but only for `self` and only outside closures and local
/// functions. The same accesses are rewritten, and no others: an assignment from a closure is a change
/// like any other.
final class OwnAccessRewriter: SyntaxRewriter {
  private let storages: [String: TokenSyntax]
  private let parameters: Set<String>
  /// Decides where an initializer has stored all properties, so that accesses are no longer rewritten; nil elsewhere.
  private let completion: ObjectCompletion?
  /// The properties that were found.
  private(set) var found: Set<String> = []
  /// Whether one of them was used otherwise than as what a value is assigned to.
  private(set) var hasRead = false

  init(
    storages: [String: TokenSyntax], parameters: Set<String>,
    until completion: ObjectCompletion? = nil
  ) {
    self.storages = storages
    self.parameters = parameters
    self.completion = completion
    super.init(viewMode: .sourceAccurate)
  }

  convenience init(property: TokenSyntax, storage: TokenSyntax, observer: AccessorDeclSyntax) {
    let isWillSet = observer.accessorSpecifier.tokenKind == .keyword(.willSet)
    let parameter = observer.parameters?.name.unescapedName ?? (isWillSet ? "newValue" : "oldValue")
    self.init(storages: [property.unescapedName: storage], parameters: [parameter])
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> ExprSyntax {
    guard let name = node.plainName, storages[name] != nil, isVisible(name, at: node),
      let renamed = renamed(node, accessedBy: ExprSyntax(node))
    else { return ExprSyntax(node) }
    return ExprSyntax(renamed)
  }

  /// Visits the base only: the member belongs to the base's type, which is ours for `self`.
  override func visit(_ node: MemberAccessExprSyntax) -> ExprSyntax {
    guard let base = node.base else { return ExprSyntax(node) }
    guard base.isSelf, isReached(node),
      let renamed = renamed(node.declName, accessedBy: ExprSyntax(node))
    else { return ExprSyntax(node.with(\.base, visit(base))) }
    return ExprSyntax(node.with(\.declName, renamed))
  }

  /// Spells out `if let title`, where the one name is both what is read and what is bound.
  override func visit(_ node: OptionalBindingConditionSyntax) -> OptionalBindingConditionSyntax {
    guard node.initializer == nil,
      let bound = node.pattern.as(IdentifierPatternSyntax.self)?.identifier,
      let storage = storages[bound.unescapedName], isVisible(bound.unescapedName, at: node)
    else { return super.visit(node) }
    found.insert(bound.unescapedName)
    hasRead = true
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

  private func isReached(_ node: some SyntaxProtocol) -> Bool {
    LocalScope(of: node).reachesObserver && completion?.precedes(node) != true
  }

  private func isVisible(_ name: String, at node: some SyntaxProtocol) -> Bool {
    !parameters.contains(name) && isReached(node) && !LocalScope(of: node).binds(name)
  }

  /// The reference to the storage of a property; nil if it is not the name of one.
  private func renamed(
    _ node: DeclReferenceExprSyntax, accessedBy access: ExprSyntax
  ) -> DeclReferenceExprSyntax? {
    guard let name = node.plainName, let storage = storages[name] else { return nil }
    found.insert(name)
    if !access.isAssigned { hasRead = true }
    return node.with(
      \.baseName,
      storage
        .with(\.leadingTrivia, node.baseName.leadingTrivia)
        .with(\.trailingTrivia, node.baseName.trailingTrivia)
    )
  }
}

extension ExprSyntax {
  var isSelf: Bool {
    self.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self)
  }

  /// Whether a value is assigned to this, alone or as a part of a tuple.
  var isAssigned: Bool {
    if let element = parent?.as(LabeledExprSyntax.self),
      let tuple = element.parent?.parent?.as(TupleExprSyntax.self)
    {
      return ExprSyntax(tuple).isAssigned
    }
    guard let elements = parent?.as(ExprListSyntax.self), elements.first?.id == id else {
      return false
    }
    return elements.dropFirst().first?.is(AssignmentExprSyntax.self) == true
  }
}

extension DeclReferenceExprSyntax {
  /// The name, unless this is a function with argument labels.
  fileprivate var plainName: String? {
    argumentNames == nil ? baseName.unescapedName : nil
  }
}
