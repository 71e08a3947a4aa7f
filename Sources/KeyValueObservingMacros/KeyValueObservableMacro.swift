import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@KeyValueObservable`: the key table and registrar of a class, accessors for its variables, and
/// the conformance.
enum KeyValueObservableMacro {
  static var formatMode: FormatMode { .disabled }
}

extension KeyValueObservableMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let subject = SubjectClass(declaration, in: context) else {
      context.diagnose(Refusal.notAClass(declaration, attribute: node))
      return []
    }
    if let refusal = Refusal.ofClass(subject) {
      context.diagnose(refusal)
      return []
    }
    for variable in subject.jointDeclarations {
      if let refusal = Refusal.ofVariable(variable, in: subject) { context.diagnose(refusal) }
    }
    let inheritsConformance = protocols.isEmpty && !subject.declaresConformance
    for warning in Refusal.ofAnswers(in: subject, inheritsKeys: inheritsConformance) {
      context.diagnose(warning)
    }
    if !inheritsConformance, let warning = Refusal.ofManualNotifications(in: subject) {
      context.diagnose(warning)
    }
    for warning in Refusal.ofLockedAssignments(in: subject) { context.diagnose(warning) }
    return inheritsConformance ? subject.membersOfSubclass : subject.membersOfRoot
  }
}

extension KeyValueObservableMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AttributeSyntax] {
    guard let subject = SubjectClass(declaration, in: context), Refusal.ofClass(subject) == nil
    else { return [] }
    if let initializer = member.as(InitializerDeclSyntax.self) {
      return InitializerBeginning(of: initializer, in: subject).map { [$0.attribute] } ?? []
    }
    guard let variable = member.as(VariableDeclSyntax.self) else { return [] }
    if let refusal = Refusal.ofVariable(variable, in: subject) {
      if !subject.declaresTogether(variable) { context.diagnose(refusal) }
      return []
    }
    guard variable.isObservedStorage else { return [] }
    let storedMacro = IdentifierTypeSyntax(name: .identifier(EmittedName.storedMacro))
    return [AttributeSyntax(attributeName: storedMacro)]
  }
}

extension KeyValueObservableMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard !protocols.isEmpty, let subject = SubjectClass(declaration, in: context),
      Refusal.ofClass(subject) == nil
    else { return [] }
    if let refusal = Refusal.ofConformance(of: subject) { context.diagnose(refusal) }
    let conformance = [subject.isolation, EmittedName.qualifiedProtocol].compactMap(\.self)
      .joined(separator: " ")
    let requirements = subject.suppressedRequirements.joined(separator: ", ")
    let clause = requirements.isEmpty ? "" : " where \(requirements)"
    return [
      try ExtensionDeclSyntax("extension \(type.trimmed): \(raw: conformance)\(raw: clause) {\n}")
    ]
  }
}
