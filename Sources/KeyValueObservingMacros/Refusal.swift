import SwiftDiagnostics
import SwiftSyntax

/// What the macros cannot do: every message, with the reason and what to write instead.
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

// What @KeyValueObservable refuses to be attached to.
extension Refusal {
  static func notAClass(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax
  ) -> Diagnostic {
    Diagnostic(
      node: attribute,
      message: Self(
        "notAClass",
        "@KeyValueObservable works on classes, because observers share the object they watch; "
          + "this is declared as '\(declaration.introducer.text)'. Declare a class instead."
      )
    )
  }

  /// Why a class cannot be observed; nil if it can.
  static func ofClass(_ subject: SubjectClass) -> Diagnostic? {
    if let attribute = subject.observableMacroAttribute {
      return observableMacro(attribute, on: subject)
    }
    return subject.parameterPack.map(parameterPack) ?? ofReservedName(in: subject)
  }

  /// Why the conformance of a class cannot be declared; nil if it can.
  static func ofConformance(of subject: SubjectClass) -> Diagnostic? {
    guard let modifier = subject.nestedPrivateModifier else { return nil }
    return Diagnostic(
      node: modifier,
      message: Self(
        "nestedPrivate",
        "The conformance of '\(subject.name.text)' is declared in an extension, which does not see "
          + "a private class inside of another type. Declare the class fileprivate."
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
        "@Observable and @KeyValueObservable would both replace the accessors of "
          + "'\(subject.name.text)'. Remove @Observable and declare conformance to Observable: "
          + "withObservationTracking then sees the class too."
      )
    )
  }

  private static func parameterPack(_ parameter: GenericParameterSyntax) -> Diagnostic {
    Diagnostic(
      node: parameter,
      message: Self(
        "parameterPack",
        "Swift forms no key path whose root has the parameter pack "
          + "'\(parameter.trimmedDescription)'. Use generic parameters that are not packs."
      )
    )
  }
}

// What @KeyValueObservable refuses to observe.
extension Refusal {
  /// Why a variable of an observable class cannot be observed; nil if it can, or need not be.
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
    if !subject.sharesIsolation(with: variable) { return isolatedVariable(variable, in: subject) }
    return ofGuardedVariable(variable, in: subject)
  }

  private static func lazyVariable(_ variable: VariableDeclSyntax) -> Diagnostic {
    ignorable(
      variable, "lazyVariable",
      "\(variable.quotedNames) is lazy, and observing it would compute it. Give it a value in the "
        + "initializer or mark it @KeyValueIgnored."
    )
  }

  private static func opaqueVariable(_ variable: VariableDeclSyntax) -> Diagnostic {
    ignorable(
      variable, "opaqueVariable",
      "\(variable.quotedNames) has an opaque type, which would be another one for the storage behind "
        + "it. Write the type out or mark the property @KeyValueIgnored."
    )
  }

  private static func wrappedVariable(
    _ variable: VariableDeclSyntax, by attribute: AttributeSyntax
  ) -> Diagnostic {
    ignorable(
      variable, "wrappedVariable",
      "@\(attribute.baseName) keeps the value of \(variable.quotedNames), so its changes are not "
        + "seen. Remove the attribute or mark the property @KeyValueIgnored."
    )
  }

  private static func isolatedVariable(
    _ variable: VariableDeclSyntax, in subject: SubjectClass
  ) -> Diagnostic {
    ignorable(
      variable, "isolatedVariable",
      "\(variable.quotedNames) is not isolated as '\(subject.name.text)' is, and observers are told "
        + "where the class is isolated. Isolate both alike or mark the property @KeyValueIgnored."
    )
  }

  private static func tuplePattern(_ variable: VariableDeclSyntax) -> Diagnostic {
    Diagnostic(
      node: variable,
      message: Self(
        "tuplePattern",
        "\(variable.quotedNames) declares several variables with one value, and accessors need one "
          + "variable a declaration. Declare each on its own."
      )
    )
  }

  private static func severalVariables(_ variable: VariableDeclSyntax) -> Diagnostic {
    Diagnostic(
      node: variable,
      message: Self(
        "severalVariables",
        "\(variable.quotedNames) are declared together, and accessors need one variable a "
          + "declaration. Declare each on its own."
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

// What @KeyValueDependent refuses.
extension Refusal {
  static func dependentOutsideClass(_ attribute: AttributeSyntax) -> Diagnostic {
    Diagnostic(
      node: attribute,
      message: Self(
        "dependentOutsideClass",
        "@KeyValueDependent describes a property in the body of a @KeyValueObservable class. Move "
          + "the property there or override keyPathsForValuesAffectingValue(forKey:)."
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
        "@KeyValueDependent is read by @KeyValueObservable, which does not stand in front of "
          + "'\(subject.name.text)'. Write it there or override keyPathsForValuesAffectingValue(forKey:)."
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
        "\(variable.quotedNames) belongs to the type, and observers watch objects. Make it an "
          + "instance property or remove @KeyValueDependent."
      )
    )
  }

  static func dependentWithoutKeyPaths(_ attribute: AttributeSyntax) -> Diagnostic {
    Diagnostic(
      node: attribute,
      message: Self(
        "dependentWithoutKeyPaths",
        "@KeyValueDependent names no key path. Write @KeyValueDependent(on: \"title\") or remove it."
      )
    )
  }

  static func dependentNotLiteral(_ argument: ExprSyntax) -> Diagnostic {
    Diagnostic(
      node: argument,
      message: Self(
        "dependentNotLiteral",
        "@KeyValueDependent reads its key paths at compile time, and "
          + "'\(argument.trimmedDescription)' is not a plain string literal. Write the key path "
          + "out or override keyPathsForValuesAffectingValue(forKey:)."
      )
    )
  }
}
