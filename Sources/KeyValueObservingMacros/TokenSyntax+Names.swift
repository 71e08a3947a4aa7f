import SwiftSyntax

extension TokenSyntax {
  /// The name of a property without the backticks it may be written in.
  var unescapedName: String {
    text.hasPrefix("`") ? String(text.dropFirst().dropLast()) : text
  }

  /// The name under which a property is known at run time, as a string literal.
  ///
  /// Of what would have to be escaped there, a name in backticks may have quotes only.
  ///
  /// A private property may have a namesake in a superclass or a subclass, which is another property.
  /// So the class is a part of its name. One that is `fileprivate` may be overridden, and what
  /// overrides it has to have the same name.
  func keyLiteral(of variable: VariableDeclSyntax, in subject: SubjectClass) -> String {
    let mayHaveNamesake = variable.modifiers.contains(.private) && subject.mayHaveRelatives
    let owner = mayHaveNamesake ? "\\0\(subject.qualifiedName)" : ""
    return "\"\((unescapedName + owner).replacing("\"", with: "\\\""))\""
  }

  /// The name of the private storage of a property.
  var storageName: TokenSyntax {
    let name = EmittedName.storagePrefix + unescapedName
    let isPlain = name.allSatisfy { $0 == "$" || $0 == "_" || $0.isLetter || $0.isNumber }
    return .identifier(isPlain ? name : "`\(name)`")
  }
}
