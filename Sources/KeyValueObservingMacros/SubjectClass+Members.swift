import SwiftSyntax

extension SubjectClass {
  /// The members of a class whose superclass, if any, is not observable.
  var membersOfRoot: [DeclSyntax] {
    [
      registrarDeclaration,
      keyTableDeclaration(overriding: false),
      deprecatedPropertiesDeclaration,
      answerDeclaration(to: .automaticallyNotifies, overriding: false),
      answerDeclaration(to: .affectingKeyPaths, overriding: false),
      observationRegistrarDeclaration,
    ].compactMap(\.self).map(DeclSyntax.init(verbatim:))
  }

  /// The members of a class whose superclass has all that and needs only be added to.
  var membersOfSubclass: [DeclSyntax] {
    [
      keyTableDeclaration(overriding: true),
      deprecatedPropertiesDeclaration,
      answerDeclaration(to: .automaticallyNotifies, overriding: true),
      answerDeclaration(to: .affectingKeyPaths, overriding: true),
      observationRegistrarDeclaration,
    ].compactMap(\.self).map(DeclSyntax.init(verbatim:))
  }

  private var registrarDeclaration: String? {
    guard !declares(EmittedName.registrar) else { return nil }
    // A final member spares the accessors a dynamic call. Such a member cannot be open.
    let access = exportedAccess == .open ? .public : exportedAccess
    let modifiers = [access, .nonisolated, isFinal ? nil : .final]
    return """
      \(requirementAttribute)\(modifiers.spelled)let \(EmittedName.registrar) = \
      \(EmittedName.registrarType)()
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
    return """
      \(typeMemberModifiers(overriding: overriding))func \(EmittedName.properties)() -> [\(EmittedName.propertyType)] {
        \(table.body(overriding: overriding).indented)
      }
      """
  }

  private var deprecatedPropertiesDeclaration: String? {
    declares(EmittedName.properties) ? nil : KeyTable(of: self).deprecatedProperties
  }

  /// A requirement with a default, which only a class member lets subclasses override. It asks what
  /// the class declares for single keys.
  private func answerDeclaration(to question: KeyQuestion, overriding: Bool) -> String? {
    let answers = answers(to: question)
    let isNeeded = !answers.isEmpty || !isFinal && !overriding
    guard isNeeded, ownFunction(for: question) == nil else { return nil }
    let otherwise =
      overriding ? "super.\(question.function)(forKey: key)" : question.defaultAnswer
    let cases = answers.map { answer in
      "case \(answer.keys.map { "\"\($0)\"" }.joined(separator: ", ")): \(answer.call)\n"
    }
    let body =
      answers.isEmpty ? otherwise : "switch key {\n\(cases.joined())default: \(otherwise)\n}"
    return """
      \(typeMemberModifiers(overriding: overriding))func \(question.function)\
      (forKey key: \(EmittedName.string)) -> \(question.answerType) {
        \(body.indented)
      }
      """
  }

  private func typeMemberModifiers(overriding: Bool) -> String {
    let modifiers: [Keyword?] =
      overriding
      ? [exportedAccess, .override, .class] : [exportedAccess, isFinal ? .static : .class]
    return requirementAttribute + modifiers.spelled
  }

  /// What a member needs that the protocol asks for.
  private var requirementAttribute: String { isUsableFromInline ? "@usableFromInline " : "" }
}

extension [Keyword?] {
  /// The modifiers that are there, each with a space after it.
  fileprivate var spelled: String {
    compactMap(\.self).map { "\(TokenSyntax.keyword($0).text) " }.joined()
  }
}
