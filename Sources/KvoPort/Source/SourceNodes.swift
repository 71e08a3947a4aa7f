internal import SwiftSyntax

/// The nodes of a file that patterns are about, in the order of the text.
///
/// It has none of declarations and statements that are to be left alone.
struct SourceNodes: Sendable {
  var imports: [ImportDeclSyntax] = []
  /// Classes, structs, enumerations, actors and protocols.
  var types: [Syntax] = []
  /// Those among them that are to be left alone.
  var skippedTypes: [Syntax] = []
  var extensions: [ExtensionDeclSyntax] = []
  var functions: [FunctionDeclSyntax] = []
  var initializers: [InitializerDeclSyntax] = []
  var variables: [VariableDeclSyntax] = []
  var typeAliases: [TypeAliasDeclSyntax] = []
  var calls: [FunctionCallExprSyntax] = []
  var macros: [MacroExpansionExprSyntax] = []
  var memberAccesses: [MemberAccessExprSyntax] = []
  var subscripts: [SubscriptCallExprSyntax] = []
  var sequences: [SequenceExprSyntax] = []
  var typeNames: [IdentifierTypeSyntax] = []
  var attributes: [AttributeSyntax] = []
  var modifiers: [DeclModifierSyntax] = []

  init(_ tree: SourceFileSyntax, _ skips: SkippedRanges) {
    let collector = NodeCollector(skips)
    collector.walk(tree)
    self = collector.nodes
  }

  fileprivate init() {}
}

private final class NodeCollector: SyntaxVisitor {
  var nodes = SourceNodes()
  private let skips: SkippedRanges

  init(_ skips: SkippedRanges) {
    self.skips = skips
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    visit(node, Syntax(node.item))
  }

  override func visit(_ node: MemberBlockItemSyntax) -> SyntaxVisitorContinueKind {
    visit(node, Syntax(node.decl))
  }

  private func visit(_ item: some SyntaxProtocol, _ content: Syntax) -> SyntaxVisitorContinueKind {
    guard skips.contains(item) else { return .visitChildren }
    if content.isProtocol((any DeclGroupSyntax).self), !content.is(ExtensionDeclSyntax.self) {
      nodes.skippedTypes.append(content)
    }
    return .skipChildren
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    nodes.imports.append(node)
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    nodes.types.append(Syntax(node))
    return .visitChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    nodes.types.append(Syntax(node))
    return .visitChildren
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    nodes.types.append(Syntax(node))
    return .visitChildren
  }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    nodes.types.append(Syntax(node))
    return .visitChildren
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    nodes.types.append(Syntax(node))
    return .visitChildren
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    nodes.extensions.append(node)
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    nodes.functions.append(node)
    return .visitChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    nodes.initializers.append(node)
    return .visitChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    nodes.variables.append(node)
    return .visitChildren
  }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    nodes.typeAliases.append(node)
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    nodes.calls.append(node)
    return .visitChildren
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    nodes.macros.append(node)
    return .visitChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    nodes.memberAccesses.append(node)
    return .visitChildren
  }

  override func visit(_ node: SubscriptCallExprSyntax) -> SyntaxVisitorContinueKind {
    nodes.subscripts.append(node)
    return .visitChildren
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    nodes.sequences.append(node)
    return .visitChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    nodes.typeNames.append(node)
    return .visitChildren
  }

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    nodes.attributes.append(node)
    return .visitChildren
  }

  override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
    nodes.modifiers.append(node)
    return .visitChildren
  }
}
