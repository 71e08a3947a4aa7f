import SwiftSyntax

// The compiler takes an expansion as text and parses it. To parse it here as well, only to print the
// nodes again, would be a large part of what an expansion takes. So what is emitted is written as it
// is to look (`formatMode`), and handed over as a node with a single token.

extension AccessorDeclSyntax {
  /// An accessor that is indented, because the braces around it are put there afterwards.
  init(verbatim text: String) {
    self.init(accessorSpecifier: .identifier("  " + text.indented))
  }
}

extension DeclSyntax {
  init(verbatim text: String) {
    self.init(MissingDeclSyntax(placeholder: .identifier(text)))
  }
}

extension String {
  /// The lines, each but the first moved two columns to the right.
  var indented: String { replacing("\n", with: "\n  ") }
}
