import SwiftDiagnostics
import SwiftSyntax

// What @KeyValueObservable refuses to be named as it is.
extension Refusal {
  /// A name that expansions would take for something of their own; nil if there is none.
  static func ofReservedName(in subject: SubjectClass) -> Diagnostic? {
    for variable in subject.variables {
      for name in variable.names where subject.reserves(name, for: variable) {
        return reservedName(name, of: variable)
      }
    }
    return nil
  }

  /// Why an instance property cannot have its name in an observable class; nil if it can.
  static func ofName(_ variable: VariableDeclSyntax) -> Diagnostic? {
    guard !variable.isTypeProperty, !variable.attributes.contains(named: EmittedName.ignoredMacro)
    else { return nil }
    return variable.names.first(where: VariableDeclSyntax.namesWithoutKeyPath.contains)
      .map { nameWithoutKeyPath($0, of: variable) }
  }

  private static func reservedName(_ name: String, of variable: VariableDeclSyntax) -> Diagnostic {
    Diagnostic(
      node: variable,
      message: Self(
        "reservedName",
        "'\(name)' means something else in what @KeyValueObservable writes into the class. Give the "
          + "property another name."
      )
    )
  }

  private static func nameWithoutKeyPath(
    _ name: String, of variable: VariableDeclSyntax
  ) -> Diagnostic {
    Diagnostic(
      node: variable,
      message: Self(
        "nameWithoutKeyPath",
        "A property named '\(name)' has no key path, because '\(name)' means something else in one. "
          + "Give it another name or mark it @KeyValueIgnored."
      ),
      fixIts: [Remedy.ignore(variable)]
    )
  }
}

extension SubjectClass {
  /// Whether a variable of a name would be taken for what an expansion refers to.
  ///
  /// The registrar may be written by hand.
  fileprivate func reserves(_ name: String, for variable: VariableDeclSyntax) -> Bool {
    name == EmittedName.module || name == "Swift" || name == self.name.unescapedName
      || name == EmittedName.registrar && !variable.isLet
  }
}

extension VariableDeclSyntax {
  /// What key paths understand in their own way.
  static let namesWithoutKeyPath: Set<String> = ["Protocol", "Self", "Type", "self"]

  fileprivate var names: [String] { bindings.compactMap { $0.name?.unescapedName } }
}
