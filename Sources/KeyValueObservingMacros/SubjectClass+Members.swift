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
    ].compactMap(\.self).map(DeclSyntax.init(verbatim:))
  }

  /// The members of a class whose superclass has all that and needs only be added to.
  var membersOfSubclass: [DeclSyntax] {
    [keyTableDeclaration(overriding: true), observationRegistrarDeclaration].compactMap(\.self)
      .map(DeclSyntax.init(verbatim:))
  }

  private var registrarDeclaration: String? {
    guard !declares(EmittedName.registrar) else { return nil }
    // A final member spares the accessors a dynamic call. Such a member cannot be open.
    let access = exportedAccess == .open ? .public : exportedAccess
    let modifiers = [access, .nonisolated, isFinal ? nil : .final]
    return """
      \(modifiers.spelled)let \(EmittedName.registrar) = \(EmittedName.registrarType)()
      """
  }

  private var observationRegistrarDeclaration: String? {
    guard declaresObservable else { return nil }
    let name = EmittedName.observationRegistrar
    return "private let \(name) = \(EmittedName.observationRegistrarType)()"
  }

  private func keyTableDeclaration(overriding: Bool) -> String? {
    let table = KeyTable(of: self)
    guard !declares(EmittedName.properties), !(overriding && table.isEmpty) else { return nil }
    let modifiers = overriding ? [exportedAccess, .override, .class] : typeMemberModifiers
    return """
      \(modifiers.spelled)func \(EmittedName.properties)() -> [\(EmittedName.propertyType)] {
        \(table.body(overriding: overriding).indented)
      }
      """
  }

  /// A requirement with a default, which only a class member lets subclasses override.
  private func overridable(
    _ name: String, returning type: String, _ value: String
  ) -> String? {
    guard !isFinal, !declares(name) else { return nil }
    return """
      \(typeMemberModifiers.spelled)func \(name)(forKey key: String) -> \(type) {
        \(value)
      }
      """
  }

  private var typeMemberModifiers: [Keyword?] {
    [exportedAccess, isFinal ? .static : .class]
  }
}

extension [Keyword?] {
  /// The modifiers that are there, each with a space after it.
  fileprivate var spelled: String {
    compactMap(\.self).map { "\(TokenSyntax.keyword($0).text) " }.joined()
  }
}
