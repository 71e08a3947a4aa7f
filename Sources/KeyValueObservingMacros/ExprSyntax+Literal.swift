import SwiftSyntax

extension ExprSyntax {
  /// The text of a string literal without interpolations.
  var literalText: String? {
    self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }

  /// Whether this is the literal of a number or truth value.
  var isScalarLiteral: Bool {
    if let prefixed = self.as(PrefixOperatorExprSyntax.self) {
      return prefixed.expression.isScalarLiteral
    }
    return self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
      || self.is(BooleanLiteralExprSyntax.self)
  }
}
