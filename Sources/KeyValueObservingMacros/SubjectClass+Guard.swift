import SwiftSyntax

extension SubjectClass {
  /// Whether the class says that threads may share its objects, and leaves it to the macro to make that
  /// true of its stored variables.
  ///
  /// A class with a global actor is guarded by the actor, and one that is `@unchecked Sendable` by
  /// itself.
  var isGuarded: Bool { checkedSendable != nil && globalActor == nil }

  /// The `Sendable` in the inheritance clause of the class, unless it is `@unchecked`.
  var checkedSendable: TypeSyntax? {
    declaration.inheritanceClause?.inheritedTypes.lazy.flatMap { $0.type.composed }
      .first { $0.baseName == "Sendable" && !$0.is(AttributedTypeSyntax.self) }
  }

  /// The lock of the stored variables, nil if there are none to be guarded.
  var guardDeclaration: String? {
    guard isGuarded, hasGuardedVariable(in: declaration.memberBlock.members) else { return nil }
    return "private let \(EmittedName.storageGuard) = \(EmittedName.storageGuardType)()"
  }

  /// Whether a variable is guarded, in case it is observed storage.
  func guards(_ variable: VariableDeclSyntax) -> Bool {
    isGuarded && !variable.isNonisolatedUnsafe
  }

  private func hasGuardedVariable(in members: MemberBlockItemListSyntax) -> Bool {
    members.contains { member in
      if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        return conditional.clauses.contains { clause in
          clause.elements?.as(MemberBlockItemListSyntax.self).map(hasGuardedVariable) == true
        }
      }
      guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
      return variable.isObservedStorage && guards(variable)
    }
  }
}

extension VariableDeclSyntax {
  /// Whether the user has taken over to keep threads apart.
  fileprivate var isNonisolatedUnsafe: Bool {
    modifiers.contains {
      $0.name.tokenKind == .keyword(.nonisolated) && $0.detail?.detail.text == "unsafe"
    }
  }
}
