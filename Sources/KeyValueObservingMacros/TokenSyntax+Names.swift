import SwiftSyntax

extension TokenSyntax {
  /// The name of a property without the backticks it may be written in.
  var unescapedName: String {
    text.hasPrefix("`") ? String(text.dropFirst().dropLast()) : text
  }

  /// The name of a property as a string literal. Of what would have to be escaped there, a name in
  /// backticks may have quotes only.
  var keyLiteral: String {
    "\"\(unescapedName.replacing("\"", with: "\\\""))\""
  }

  /// The name of the private storage of a property.
  var storageName: TokenSyntax {
    let name = EmittedName.storagePrefix + unescapedName
    let isPlain = name.allSatisfy { $0 == "$" || $0 == "_" || $0.isLetter || $0.isNumber }
    return .identifier(isPlain ? name : "`\(name)`")
  }
}
