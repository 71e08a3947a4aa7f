import SwiftDiagnostics
import SwiftSyntax

// What @KeyValueObservable refuses in a class whose stored variables it guards with a lock.
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
        "'\(subject.name.text)' is Sendable, so a lock guards \(variable.quotedNames), and its willSet "
          + "or didSet could neither run under the lock nor be atomic without it. Observe the property "
          + "instead, or guard the class by hand and declare it @unchecked Sendable."
      ),
      fixIts: [Remedy.guardByHand(conformance)]
    )
  }
}
