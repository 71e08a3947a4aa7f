/// The type of a value, as far as the sources show it.
enum ValueType {
  case own(TypeDeclaration)
  /// A type that the sources do not declare.
  case framework(TypeName)
  case unknown

  var own: TypeDeclaration? {
    if case .own(let type) = self { type } else { nil }
  }

  var frameworkName: String? {
    if case .framework(let name) = self { name.base } else { nil }
  }
}

/// The name of a type, with the position from which it is looked up.
struct ScopedType {
  var name: TypeName
  var scope: Scope
}
