import SwiftDiagnostics
import SwiftSyntax

// Warnings of @KeyValueObservable in a class that guards itself.
extension Refusal {
  /// Warnings for variables whose observers are called while a lock is held.
  static func ofLockedAssignments(in subject: SubjectClass) -> [Diagnostic] {
    LockedAssignment.all(in: subject).map { assignment in
      Diagnostic(
        node: assignment.reference,
        message: Self(
          "lockedAssignment",
          "observers of '\(assignment.name)' are called before '\(assignment.function)' releases "
            + "its lock, and deadlock if they need it; write 'withMutation(of: "
            + "\\.\(assignment.name))' around it to call them afterwards",
          severity: .warning
        ),
        fixIts: assignment.call.map { [Remedy.mutate(assignment.name, around: $0)] } ?? []
      )
    }
  }
}
