import SwiftSyntax

extension SubjectClass {
  /// The requirements that an extension of the class has to repeat, such as `Element: ~Copyable`.
  ///
  /// Swift would take the conformance for one with copyable arguments only.
  var suppressedRequirements: [String] {
    suppressions.map { "\($0.parameter): \($0.suppressed.trimmedDescription)" }
  }

  /// Whether the type is a generic parameter whose values cannot be copied, or an optional of it.
  ///
  /// Swift has no key path to a property of such a type.
  func isNoncopyableParameter(_ type: TypeSyntax) -> Bool {
    if let optional = type.as(OptionalTypeSyntax.self) {
      return isNoncopyableParameter(optional.wrappedType)
    }
    if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return isNoncopyableParameter(optional.wrappedType)
    }
    guard let name = type.as(IdentifierTypeSyntax.self)?.name.text else { return false }
    return suppressions.contains {
      $0.parameter == name && $0.suppressed.type.baseName == "Copyable"
    }
  }

  private typealias Suppression = (parameter: String, suppressed: SuppressedTypeSyntax)

  /// The suppressed conformances of the declarations around the class and of its own, in this order.
  private var suppressions: [Suppression] {
    surroundings.reversed().flatMap(suppressions) + suppressions(of: Syntax(declaration))
  }

  private func suppressions(of declaration: Syntax) -> [Suppression] {
    let generic = declaration.asProtocol((any WithGenericParametersSyntax).self)
    let parameters = generic?.genericParameterClause?.parameters.map { $0 } ?? []
    let clause =
      generic?.genericWhereClause ?? declaration.as(ExtensionDeclSyntax.self)?.genericWhereClause
    let requirements = clause?.requirements.map { $0.requirement } ?? []
    return parameters.flatMap { parameter in
      parameter.inheritedType.map { suppressions(of: parameter.name.text, in: $0) } ?? []
    }
      + requirements.flatMap { requirement -> [Suppression] in
        guard case .conformanceRequirement(let conformance) = requirement else { return [] }
        return suppressions(
          of: conformance.leftType.trimmedDescription, in: conformance.rightType)
      }
  }

  private func suppressions(of parameter: String, in type: TypeSyntax) -> [Suppression] {
    type.composed.compactMap { type in
      type.as(SuppressedTypeSyntax.self).map { (parameter, $0) }
    }
  }
}
