import SwiftSyntax

extension SubjectClass {
  /// The members of a class whose superclass, if any, is not observable.
  var membersOfRoot: [DeclSyntax] {
    [
      registrarDeclaration,
      keyTableDeclaration(overriding: false),
      overridable(EmittedName.automaticallyNotifies, returning: "Bool", "true"),
      overridable(EmittedName.affectingKeyPaths, returning: "Set<String>", "[]"),
      observationRegistrarDeclaration,
    ].compactMap(\.self)
  }

  /// The members of a class whose superclass has all that and needs only be added to.
  var membersOfSubclass: [DeclSyntax] {
    [keyTableDeclaration(overriding: true), observationRegistrarDeclaration].compactMap(\.self)
  }

  private var registrarDeclaration: DeclSyntax? {
    guard !declares(EmittedName.registrar) else { return nil }
    // A final member spares the accessors a dynamic call. Such a member cannot be open.
    let access = exportedAccess == .open ? .public : exportedAccess
    let modifiers = [access, .nonisolated, isFinal ? nil : .final]
    return """
      \(modifiers.spelled)let \(raw: EmittedName.registrar) = \(raw: EmittedName.registrarType)()
      """
  }

  private var observationRegistrarDeclaration: DeclSyntax? {
    guard declaresObservable else { return nil }
    let name = EmittedName.observationRegistrar
    return "private let \(raw: name) = \(raw: EmittedName.observationRegistrarType)()"
  }

  private func keyTableDeclaration(overriding: Bool) -> DeclSyntax? {
    let table = KeyTable(of: self)
    guard !declares(EmittedName.properties), !(overriding && table.isEmpty) else { return nil }
    let modifiers = overriding ? [exportedAccess, .override, .class] : typeMemberModifiers
    return """
      \(modifiers.spelled)func \(raw: EmittedName.properties)() -> [\(raw: EmittedName.propertyType)] {
        \(table.body(overriding: overriding))
      }
      """
  }

  /// A requirement with a default, which only a class member lets subclasses override.
  private func overridable(
    _ name: String, returning type: String, _ value: String
  ) -> DeclSyntax? {
    guard !isFinal, !declares(name) else { return nil }
    return """
      \(typeMemberModifiers.spelled)func \(raw: name)(forKey key: String) -> \(raw: type) {
        \(raw: value)
      }
      """
  }

  private var typeMemberModifiers: [Keyword?] {
    [exportedAccess, isFinal ? .static : .class]
  }
}

extension [Keyword?] {
  /// The modifiers that are there, each with a space after it.
  fileprivate var spelled: DeclModifierListSyntax {
    DeclModifierListSyntax(
      compactMap(\.self).map { DeclModifierSyntax(name: .keyword($0, trailingTrivia: .space)) }
    )
  }
}
