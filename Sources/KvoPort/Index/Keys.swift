internal import SwiftSyntax

/// Keys as the sources spell them.
enum Keys {
  /// The first components of all key paths that the strings and key-path literals in a node name.
  static func named(in node: Syntax) -> Set<String> {
    Set(keyPaths(in: node).compactMap(\.first))
  }

  /// The components of all key paths that the strings and key-path literals in a node name.
  static func components(in node: some SyntaxProtocol) -> Set<String> {
    Set(keyPaths(in: Syntax(node)).joined())
  }

  private static func keyPaths(in node: Syntax) -> [[String]] {
    let finder = KeyFinder(viewMode: .sourceAccurate)
    finder.walk(node)
    return finder.keyPaths
  }

  /// The key path that an expression spells: a string, `#keyPath(…)` or `\.…`.
  static func keyPath(of expression: ExprSyntax) -> String? {
    if let literal = expression.as(StringLiteralExprSyntax.self) { return text(of: literal) }
    if let macro = expression.as(MacroExpansionExprSyntax.self) {
      return KeyPathLiteral(macro)?.keyPath
    }
    if let keyPath = expression.as(KeyPathExprSyntax.self) { return self.keyPath(of: keyPath) }
    return nil
  }

  static func keyPath(of expression: KeyPathExprSyntax) -> String? {
    let names = expression.components.compactMap { component -> String? in
      component.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName.unescaped
    }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }

  /// The keys of the key path that an expression spells, none if it is not spelled.
  static func keys(of expression: ExprSyntax) -> [String] {
    keyPath(of: expression)?.split(separator: ".").map(String.init) ?? []
  }

  /// The first key of the key path that an expression spells.
  static func key(of expression: ExprSyntax) -> String? { keys(of: expression).first }

  static func text(of literal: StringLiteralExprSyntax) -> String? {
    guard literal.segments.count == 1, let segment = literal.segments.first,
      let text = segment.as(StringSegmentSyntax.self)?.content.text, !text.contains("\\")
    else { return nil }
    return text
  }
}

private final class KeyFinder: SyntaxVisitor {
  var keyPaths: [[String]] = []

  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    add(ExprSyntax(node))
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    add(ExprSyntax(node))
  }

  override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind {
    add(ExprSyntax(node))
  }

  private func add(_ expression: ExprSyntax) -> SyntaxVisitorContinueKind {
    keyPaths.append(Keys.keys(of: expression))
    return .skipChildren
  }
}
