import SwiftSyntax
import SwiftSyntaxMacros

/// `@_$KeyValueStored`: private storage for a variable, and accessors that notify its observers.
enum KeyValueStoredMacro {
  static var formatMode: FormatMode { .disabled }
}

extension KeyValueStoredMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    guard let property = StoredProperty(declaration, in: context) else { return [] }
    return property.accessors
  }
}

extension KeyValueStoredMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let property = StoredProperty(declaration, in: context) else { return [] }
    return [DeclSyntax(verbatim: property.storageDeclaration)]
  }
}
