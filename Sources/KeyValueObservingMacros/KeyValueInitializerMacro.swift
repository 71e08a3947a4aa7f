import SwiftSyntax
import SwiftSyntaxMacros

/// `@_$KeyValueInitializer`: a body that uses the storage of properties until the object is complete.
enum KeyValueInitializerMacro: BodyMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax,
    providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
    in context: some MacroExpansionContext
  ) -> [CodeBlockItemSyntax] {
    guard let initializer = declaration.as(InitializerDeclSyntax.self),
      let beginning = InitializerBeginning(of: initializer, describedBy: node)
    else { return Array(declaration.body?.statements ?? []) }
    return Array(beginning.rewrittenBody.statements)
  }
}
