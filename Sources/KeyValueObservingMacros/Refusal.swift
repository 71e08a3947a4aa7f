import SwiftDiagnostics
import SwiftSyntax

/// A diagnostic of a macro: every message, with the reason and a suggestion.
struct Refusal: DiagnosticMessage {
  let message: String
  let diagnosticID: MessageID
  let severity: DiagnosticSeverity

  init(_ identifier: String, _ message: String, severity: DiagnosticSeverity = .error) {
    self.message = message
    self.severity = severity
    diagnosticID = MessageID(domain: EmittedName.module, id: identifier)
  }
}

// Errors of @KeyValueObservable for the declaration that it is attached to.
extension Refusal {
  static func notAClass(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax
  ) -> Diagnostic {
    Diagnostic(
      node: attribute,
      message: Self(
        "notAClass",
        "'@KeyValueObservable' can only be applied to a class, not to "
          + "'\(declaration.introducer.text)'; declare a class instead"
      )
    )
  }

  /// An error for a class that cannot be observed; nil if it can.
  static func ofClass(_ subject: SubjectClass) -> Diagnostic? {
    if let attribute = subject.observableMacroAttribute {
      return observableMacro(attribute, on: subject)
    }
    return subject.parameterPack.map(parameterPack) ?? ofReservedName(in: subject)
  }

  /// An error for a class whose conformance cannot be declared; nil if it can.
  static func ofConformance(of subject: SubjectClass) -> Diagnostic? {
    guard let modifier = subject.nestedPrivateModifier else { return nil }
    return Diagnostic(
      node: modifier,
      message: Self(
        "nestedPrivate",
        "'@KeyValueObservable' cannot extend private class '\(subject.name.text)' inside another "
          + "type; declare it 'fileprivate'"
      ),
      fixIt: Remedy.widen(modifier)
    )
  }

  private static func observableMacro(
    _ attribute: AttributeSyntax, on subject: SubjectClass
  ) -> Diagnostic {
    Diagnostic(
      node: attribute,
      message: Self(
        "observableMacro",
        "'@Observable' and '@KeyValueObservable' cannot both replace the accessors of "
          + "'\(subject.name.text)'; remove '@Observable' and declare conformance to 'Observable'"
      )
    )
  }

  private static func parameterPack(_ parameter: GenericParameterSyntax) -> Diagnostic {
    Diagnostic(
      node: parameter,
      message: Self(
        "parameterPack",
        "'@KeyValueObservable' does not support parameter pack '\(parameter.trimmedDescription)'; "
          + "use generic parameters that are not packs"
      )
    )
  }
}

// Errors of @KeyValueObservable for variables.
extension Refusal {
  /// An error for a variable of an observable class that cannot be observed; nil if it can be.
  static func ofVariable(_ variable: VariableDeclSyntax, in subject: SubjectClass) -> Diagnostic? {
    let attributes = variable.attributes
    if let refusal = ofName(variable) { return refusal }
    guard variable.isStored, !variable.isLet, !variable.isTypeProperty,
      !attributes.contains(named: EmittedName.ignoredMacro)
    else { return nil }
    // These come first: Swift takes no attribute such as @KeyValueIgnored on several variables.
    if variable.bindings.contains(where: { $0.name == nil }) { return tuplePattern(variable) }
    if variable.bindings.count > 1 { return severalVariables(variable) }
    if variable.modifiers.contains(.lazy) { return lazyVariable(variable) }
    if variable.isOpaque { return opaqueVariable(variable) }
    if let wrapper = attributes.wrapper { return wrappedVariable(variable, by: wrapper) }
    if variable.bindings.contains(where: { $0.isNoncopyable(in: subject) }) {
      return noncopyableVariable(variable)
    }
    if !subject.sharesIsolation(with: variable) { return isolatedVariable(variable, in: subject) }
    return ofGuardedVariable(variable, in: subject)
  }

  private static func lazyVariable(_ variable: VariableDeclSyntax) -> Diagnostic {
    ignorable(
      variable, "lazyVariable",
      "'lazy' property \(variable.quotedNames) cannot be observed; initialize it in 'init' or "
        + "mark it '@KeyValueIgnored'"
    )
  }

  private static func opaqueVariable(_ variable: VariableDeclSyntax) -> Diagnostic {
    ignorable(
      variable, "opaqueVariable",
      "type of \(variable.quotedNames) must be written out in a '@KeyValueObservable' class; "
        + "replace the opaque type or mark the property '@KeyValueIgnored'"
    )
  }

  private static func wrappedVariable(
    _ variable: VariableDeclSyntax, by attribute: AttributeSyntax
  ) -> Diagnostic {
    ignorable(
      variable, "wrappedVariable",
      "property \(variable.quotedNames) cannot be observed because '@\(attribute.baseName)' "
        + "stores its value; remove the attribute or mark the property '@KeyValueIgnored'"
    )
  }

  private static func noncopyableVariable(_ variable: VariableDeclSyntax) -> Diagnostic {
    ignorable(
      variable, "noncopyableVariable",
      "property \(variable.quotedNames) cannot be observed because its value cannot be copied; mark "
        + "the property '@KeyValueIgnored'"
    )
  }

  private static func isolatedVariable(
    _ variable: VariableDeclSyntax, in subject: SubjectClass
  ) -> Diagnostic {
    ignorable(
      variable, "isolatedVariable",
      "property \(variable.quotedNames) must have the isolation of '\(subject.name.text)'; "
        + "isolate both alike or mark the property '@KeyValueIgnored'"
    )
  }

  private static func tuplePattern(_ variable: VariableDeclSyntax) -> Diagnostic {
    Diagnostic(
      node: variable,
      message: Self(
        "tuplePattern",
        "pattern \(variable.quotedNames) cannot be observed; declare each variable on its own"
      )
    )
  }

  private static func severalVariables(_ variable: VariableDeclSyntax) -> Diagnostic {
    Diagnostic(
      node: variable,
      message: Self(
        "severalVariables",
        "variables \(variable.quotedNames) must be declared on their own in a "
          + "'@KeyValueObservable' class"
      ),
      fixIts: [Remedy.split(variable)]
    )
  }

  private static func ignorable(
    _ variable: VariableDeclSyntax, _ identifier: String, _ message: String
  ) -> Diagnostic {
    Diagnostic(
      node: variable,
      message: Self(identifier, message),
      fixIts: [Remedy.ignore(variable)]
    )
  }
}

// Errors of @KeyValueDependent.
extension Refusal {
  static func dependentOutsideClass(_ attribute: AttributeSyntax) -> Diagnostic {
    Diagnostic(
      node: attribute,
      message: Self(
        "dependentOutsideClass",
        "'@KeyValueDependent' can only be applied to a property in the body of a "
          + "'@KeyValueObservable' class; move the property there or override "
          + "'keyPathsForValuesAffectingValue(forKey:)'"
      )
    )
  }

  static func dependentUnannotated(
    _ attribute: AttributeSyntax, in subject: ClassDeclSyntax
  ) -> Diagnostic {
    Diagnostic(
      node: attribute,
      message: Self(
        "dependentUnannotated",
        "'@KeyValueDependent' requires '@KeyValueObservable' on '\(subject.name.text)'; add it or "
          + "override 'keyPathsForValuesAffectingValue(forKey:)'"
      )
    )
  }

  static func dependentTypeProperty(
    _ attribute: AttributeSyntax, of variable: VariableDeclSyntax
  ) -> Diagnostic {
    Diagnostic(
      node: attribute,
      message: Self(
        "dependentTypeProperty",
        "type property \(variable.quotedNames) cannot be observed; make it an instance property "
          + "or remove '@KeyValueDependent'"
      )
    )
  }

  static func dependentWithoutKeyPaths(_ attribute: AttributeSyntax) -> Diagnostic {
    Diagnostic(
      node: attribute,
      message: Self(
        "dependentWithoutKeyPaths",
        "'@KeyValueDependent' requires a key path; write '@KeyValueDependent(on: \"title\")' or "
          + "remove it"
      )
    )
  }

  static func dependentNotLiteral(_ argument: ExprSyntax) -> Diagnostic {
    Diagnostic(
      node: argument,
      message: Self(
        "dependentNotLiteral",
        "'@KeyValueDependent' requires string literals without interpolation, not "
          + "'\(argument.trimmedDescription)'; write out the key path or override "
          + "'keyPathsForValuesAffectingValue(forKey:)'"
      )
    )
  }
}
