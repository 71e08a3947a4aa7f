import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@KeyValueDependent(on:)`: a mark whose key paths end up in the key table of the class.
enum KeyValueDependentMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    let refusal = misplacement(of: node, on: declaration, in: context) ?? badArgument(of: node)
    if let refusal { context.diagnose(refusal) }
    return []
  }

  private static func misplacement(
    of node: AttributeSyntax,
    on declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> Diagnostic? {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      context.lexicalContext.first?.is(ClassDeclSyntax.self) == true
    else { return Refusal.dependentOutsideClass(node) }
    return variable.isTypeProperty ? Refusal.dependentTypeProperty(node, of: variable) : nil
  }

  private static func badArgument(of node: AttributeSyntax) -> Diagnostic? {
    guard case .argumentList(let arguments) = node.arguments, !arguments.isEmpty else {
      return Refusal.dependentWithoutKeyPaths(node)
    }
    return
      arguments
      .first { $0.expression.literalText == nil }
      .map { Refusal.dependentNotLiteral($0.expression) }
  }
}
