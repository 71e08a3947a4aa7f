internal import SwiftSyntax

// The parts of calls.
extension FunctionCallExprSyntax {
  /// The name of the function or method that is called.
  var calledName: String? {
    calledNameToken?.unescaped
  }

  var calledNameToken: TokenSyntax? {
    if let member = calledExpression.as(MemberAccessExprSyntax.self) {
      return member.declName.baseName
    }
    return calledExpression.as(DeclReferenceExprSyntax.self)?.baseName
  }

  /// The expression in front of the method, nil if there is none.
  var base: ExprSyntax? { calledExpression.as(MemberAccessExprSyntax.self)?.base }

  /// Whether there is a receiver that is spelled, or none at all.
  var isMethodCall: Bool {
    calledExpression.as(MemberAccessExprSyntax.self).map { $0.base != nil }
      ?? calledExpression.is(DeclReferenceExprSyntax.self)
  }

  var labels: [String] { arguments.map { $0.label?.text ?? "_" } }

  func argument(_ label: String) -> ExprSyntax? {
    arguments.first { ($0.label?.text ?? "_") == label }?.expression
  }

  /// The arguments in front of trailing closures, each with the parameter of a function that receives it.
  func arguments(
    of function: FunctionDeclSyntax
  ) -> [(parameter: FunctionParameterSyntax, value: ExprSyntax)] {
    arguments(for: function.signature.parameterClause)
  }

  /// The arguments in front of trailing closures, each with the parameter that receives it.
  func arguments(
    for clause: FunctionParameterClauseSyntax
  ) -> [(parameter: FunctionParameterSyntax, value: ExprSyntax)] {
    var rest = Array(arguments)[...]
    return clause.parameters.compactMap { parameter in
      guard let first = rest.first, parameter.firstName.unescaped == first.label?.unescaped ?? "_"
      else { return nil }
      rest.removeFirst()
      return (parameter, first.expression)
    }
  }
}
