import SwiftDiagnostics
import SwiftSyntax

// Errors of @KeyValueObservable in a class whose stored variables it guards with a lock.
extension Refusal {
  /// Why a variable of a `Sendable` class cannot be guarded; nil if it can, or need not be.
  static func ofGuardedVariable(
    _ variable: VariableDeclSyntax, in subject: SubjectClass
  ) -> Diagnostic? {
    guard subject.guards(variable), variable.isObservedStorage,
      variable.bindings.contains(where: { $0.accessorBlock != nil }),
      let conformance = subject.checkedSendable
    else { return nil }
    return Diagnostic(
      node: variable,
      message: Self(
        "guardedVariableWithObservers",
        "property \(variable.quotedNames) of Sendable class '\(subject.name.text)' cannot have "
          + "'willSet' or 'didSet' because a lock guards it; observe the property instead, or "
          + "guard the class manually and declare it '@unchecked Sendable'"
      ),
      fixIts: [Remedy.guardByHand(conformance)]
    )
  }
}
