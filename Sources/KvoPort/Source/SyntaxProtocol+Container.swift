internal import SwiftSyntax

extension SyntaxProtocol {
  /// The type or extension whose member a declaration is.
  var container: Syntax? {
    var current = parent
    while let node = current {
      switch node.kind {
      case .memberBlockItem, .memberBlockItemList, .memberBlock, .ifConfigDecl, .ifConfigClause,
        .ifConfigClauseList:
        current = node.parent
      case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .extensionDecl:
        return node
      default: return nil
      }
    }
    return nil
  }

  /// The innermost declaration around a node.
  var declaration: DeclSyntax? {
    var current = parent
    while let node = current {
      if let declaration = node.as(DeclSyntax.self) { return declaration }
      current = node.parent
    }
    return nil
  }
}
