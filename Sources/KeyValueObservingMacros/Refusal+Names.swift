import SwiftDiagnostics
import SwiftSyntax

// Errors of @KeyValueObservable for names.
extension Refusal {
  /// An error for a name that expansions refer to; nil if there is none.
  static func ofReservedName(in subject: SubjectClass) -> Diagnostic? {
    for variable in subject.variables {
      for name in variable.names where subject.reserves(name, for: variable) {
        return reservedName(name, of: variable)
      }
    }
    return nil
  }

  /// An error for an instance property whose name has no key path; nil if it has one.
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
        "property name '\(name)' is reserved in a '@KeyValueObservable' class; rename the "
          + "property"
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
        "property '\(name)' cannot be observed because '\(name)' has another meaning in a key "
          + "path; rename it or mark it '@KeyValueIgnored'"
      ),
      fixIts: [Remedy.ignore(variable)]
    )
  }
}

extension SubjectClass {
  /// Whether an expansion would take a variable of a name for something else.
  ///
  /// The registrar may be declared manually.
  fileprivate func reserves(_ name: String, for variable: VariableDeclSyntax) -> Bool {
    name == EmittedName.module || name == "Swift" || name == self.name.unescapedName
      || name == EmittedName.registrar && !variable.isLet
  }
}

extension VariableDeclSyntax {
  /// The names with another meaning in a key path.
  static let namesWithoutKeyPath: Set<String> = ["Protocol", "Self", "Type", "self"]

  fileprivate var names: [String] { bindings.compactMap { $0.name?.unescapedName } }
}
