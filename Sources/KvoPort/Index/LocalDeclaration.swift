internal import SwiftSyntax

/// The declaration in a function that a name means.
enum LocalDeclaration {
  case binding(PatternBindingSyntax)
  case parameter(FunctionParameterSyntax)
  /// A parameter of a closure.
  case other
}

extension SyntaxProtocol {
  /// The local variable or parameter of a name that is declared above a node.
  func localDeclaration(of name: String) -> LocalDeclaration? {
    var current = parent
    while let node = current {
      switch node.as(SyntaxEnum.self) {
      case .codeBlockItemList(let items) where !items.isTopLevel:
        for item in items where item.position < position {
          let variable = item.item.as(VariableDeclSyntax.self)
          if let binding = variable?.bindings.first(where: { $0.name == name }) {
            return .binding(binding)
          }
        }
      case .functionDecl(let node):
        if let found = node.signature.parameterClause.parameter(name) { return .parameter(found) }
      case .initializerDecl(let node):
        if let found = node.signature.parameterClause.parameter(name) { return .parameter(found) }
      case .subscriptDecl(let node):
        if let found = node.parameterClause.parameter(name) { return .parameter(found) }
      case .closureExpr(let node):
        if node.signature?.declares(name) == true { return .other }
      case .memberBlock: return nil
      default: break
      }
      current = node.parent
    }
    return nil
  }

  /// The local variable of a name that is declared above a node.
  func localBinding(of name: String) -> PatternBindingSyntax? {
    if case .binding(let binding) = localDeclaration(of: name) { binding } else { nil }
  }
}

extension FunctionParameterClauseSyntax {
  /// The parameter that the function knows under a name.
  func parameter(_ name: String) -> FunctionParameterSyntax? {
    parameters.first { ($0.secondName ?? $0.firstName).unescaped == name }
  }
}

extension ClosureSignatureSyntax {
  /// Whether a parameter of the closure has a name.
  fileprivate func declares(_ name: String) -> Bool {
    switch parameterClause {
    case .simpleInput(let names): names.contains { $0.name.unescaped == name }
    case .parameterClause(let clause):
      clause.parameters.contains { ($0.secondName ?? $0.firstName).unescaped == name }
    default: false
    }
  }
}
