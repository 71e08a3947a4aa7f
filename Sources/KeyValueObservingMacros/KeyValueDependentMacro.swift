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
    let refusal =
      misplacement(of: node, on: declaration, in: context) ?? badArgument(of: node)
      ?? lackOfReader(of: node, in: context)
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

  /// A class that is written by hand, or a subclass that was not annotated as well, reads no marks.
  ///
  /// One whose attributes are in `#if` may be annotated there.
  private static func lackOfReader(
    of node: AttributeSyntax, in context: some MacroExpansionContext
  ) -> Diagnostic? {
    guard let subject = context.lexicalContext.first?.as(ClassDeclSyntax.self),
      !subject.attributes.contains(named: EmittedName.protocolName),
      !subject.attributes.contains(where: { $0.is(IfConfigDeclSyntax.self) })
    else { return nil }
    return Refusal.dependentUnannotated(node, in: subject)
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
