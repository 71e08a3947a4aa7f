import SwiftSyntax
import SwiftSyntaxMacros

/// `@KeyValueIgnored`: a mark that ``KeyValueObservableMacro`` looks for, nothing more.
enum KeyValueIgnoredMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    []
  }
}
