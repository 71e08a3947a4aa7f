import SwiftSyntax

extension SubjectClass {
  /// The members of a class whose superclass, if any, is not observable.
  var membersOfRoot: [DeclSyntax] {
    let members =
      [
        registrarDeclaration,
        guardDeclaration,
        keyTableDeclaration(overriding: false),
        deprecatedPropertiesDeclaration,
      ] + KeyQuestion.all.flatMap { answerDeclarations(to: $0, overriding: false) } + [
        observationRegistrarDeclaration, observationDeclaration,
      ] + operationMembers
    return members.compactMap(\.self).map(DeclSyntax.init(verbatim:))
  }

  /// The members of a class whose superclass has all that and needs only be added to.
  var membersOfSubclass: [DeclSyntax] {
    let members =
      [
        guardDeclaration,
        keyTableDeclaration(overriding: true),
        deprecatedPropertiesDeclaration,
      ] + KeyQuestion.all.flatMap { answerDeclarations(to: $0, overriding: true) } + [
        observationRegistrarDeclaration, observationDeclaration,
      ]
    return members.compactMap(\.self).map(DeclSyntax.init(verbatim:))
  }

  private var registrarDeclaration: String? {
    guard !declares(EmittedName.registrar) else { return nil }
    // A final member spares the accessors a dynamic call.
    let modifiers = [memberAccess, .nonisolated, isFinal ? nil : .final]
    return """
      \(requirementAttribute)\(modifiers.spelled)let \(EmittedName.registrar) = \
      \(EmittedName.registrarType)()
      """
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

  /// The class-level functions that the library calls for each key.
  ///
  /// They call the functions that the class declares for single keys. The one that takes the key is
  /// a requirement with a default, which only a class member lets subclasses override. If the class
  /// declares it itself, another one handles single keys: the outermost class calls that of the
  /// class that it is called for, as Cocoa's does.
  private func answerDeclarations(to question: KeyQuestion, overriding: Bool) -> [String?] {
    let answers = answers(to: question)
    let isOwn = ownFunction(for: question) != nil
    let isOpenRoot = !isFinal && !overriding
    let otherwise =
      overriding ? nil : isFinal ? question.defaultAnswer : "\(question.ownFunction)(key)"
    let function = answerDeclaration(
      question.function, "forKey key", question, answers, overriding: overriding,
      otherwise: otherwise ?? "super.\(question.function)(forKey: key)")
    let ownFunction = answerDeclaration(
      question.ownFunction, "_ key", question, isOwn ? answers : [], overriding: overriding,
      otherwise: overriding ? "super.\(question.ownFunction)(key)" : question.defaultAnswer)
    return [
      !isOwn && (isOpenRoot || !answers.isEmpty) ? function : nil,
      isOpenRoot || isOwn && !answers.isEmpty ? ownFunction : nil,
    ]
  }

  private func answerDeclaration(
    _ function: String, _ parameter: String, _ question: KeyQuestion,
    _ answers: [KeyQuestion.Answer], overriding: Bool, otherwise: String
  ) -> String {
    let cases = answers.map { answer in
      "case \(answer.keys.map { "\"\($0)\"" }.joined(separator: ", ")): \(answer.call)\n"
    }
    let body =
      answers.isEmpty ? otherwise : "switch key {\n\(cases.joined())default: \(otherwise)\n}"
    return """
      \(typeMemberModifiers(overriding: overriding))func \(function)\
      (\(parameter): \(EmittedName.string)) -> \(question.answerType) {
        \(body.indented)
      }
      """
  }

  /// The access level of a member that no other module overrides.
  var memberAccess: Keyword? { exportedAccess == .open ? .public : exportedAccess }

  private func typeMemberModifiers(overriding: Bool) -> String {
    let modifiers: [Keyword?] =
      overriding
      ? [exportedAccess, .override, .class] : [exportedAccess, isFinal ? .static : .class]
    return requirementAttribute + modifiers.spelled
  }

  /// The attributes that a member needs as a witness of a requirement.
  private var requirementAttribute: String { isUsableFromInline ? "@usableFromInline " : "" }
}

extension [Keyword?] {
  /// The modifiers that are there, each with a space after it.
  var spelled: String {
    compactMap(\.self).map { "\(TokenSyntax.keyword($0).text) " }.joined()
  }
}
