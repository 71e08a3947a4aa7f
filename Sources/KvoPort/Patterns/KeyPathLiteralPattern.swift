internal import SwiftSyntax

/// Replaces `#keyPath(A.b.c)` with a string.
enum KeyPathLiteralPattern: Pattern {
  static func apply(to port: FilePort) {
    for macro in port.nodes.macros {
      guard var literal = KeyPathLiteral(macro) else { continue }
      literal.correct { hasProperty($0, $1, at: macro, in: port) }
      let name = literal.types.joined(separator: ".")
      let isKnown =
        literal.types.isEmpty
        ? port.index.enclosingType(of: macro, in: port.file) != nil
        : name == "UserDefaults" || isDeclared(name, at: macro, in: port)
      port.rewrite(
        .keyPathLiteral, at: macro, [.replace(macro.range, with: "\"\(literal.keyPath)\"")],
        note: isKnown ? nil : Messages.foreignKeyPath(literal.keyPath, name), isOwn: isKnown,
        usesLibrary: false)
    }
  }

  /// Whether a class of the sources has a property.
  private static func hasProperty(
    _ key: String, _ type: String, at node: some SyntaxProtocol, in port: FilePort
  ) -> Bool {
    let type = port.index.type(named: type, from: port.index.scope(at: node, in: port.file))
    return type.map { port.index.property(key, of: $0) != nil } ?? false
  }

  private static func isDeclared(
    _ name: String, at node: some SyntaxProtocol, in port: FilePort
  ) -> Bool {
    name == "Self"
      || port.index.type(named: name, from: port.index.scope(at: node, in: port.file)) != nil
  }
}
