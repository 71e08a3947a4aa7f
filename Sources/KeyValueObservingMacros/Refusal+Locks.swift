import SwiftDiagnostics
import SwiftSyntax

// What @KeyValueObservable warns of in a class that guards itself.
extension Refusal {
  /// Warnings for variables whose observers are called while a lock is held.
  static func ofLockedAssignments(in subject: SubjectClass) -> [Diagnostic] {
    LockedAssignment.all(in: subject).map { assignment in
      Diagnostic(
        node: assignment.reference,
        message: Self(
          "lockedAssignment",
          "The observers of '\(assignment.name)' are called before '\(assignment.function)' releases "
            + "what it holds, and one that waits for that too deadlocks or stops the program. Write "
            + "withMutation(of: \\.\(assignment.name)) around it: observers are then called afterwards.",
          severity: .warning
        ),
        fixIts: assignment.call.map { [Remedy.mutate(assignment.name, around: $0)] } ?? []
      )
    }
  }
}
