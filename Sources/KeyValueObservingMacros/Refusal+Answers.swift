import SwiftDiagnostics
import SwiftSyntax

// Warnings of @KeyValueObservable for functions that do not have the effect they seem to have.
extension Refusal {
  /// - `inheritsKeys`: Whether the superclass has keys, which the macro does not see.
  static func ofAnswers(in subject: SubjectClass, inheritsKeys: Bool) -> [Diagnostic] {
    KeyQuestion.all.flatMap { question -> [Diagnostic] in
      let ownFunction = subject.ownFunction(for: question)
      let body = ownFunction?.body?.description ?? ""
      let answers = subject.answers(to: question).filter { !body.contains($0.call) }
      if ownFunction != nil, !question.isUnited {
        if inheritsKeys, body.contains("super.\(question.function)") { return [] }
        return answers.map { unasked($0, question, of: subject) }
      }
      if inheritsKeys { return [] }
      let names = subject.variableNames
      return answers.filter { names.isDisjoint(with: $0.keys) }.map { misnamed($0, in: subject) }
    }
  }

  /// A manual notification that may reach an operation queue only.
  static func ofManualNotifications(in subject: SubjectClass) -> Diagnostic? {
    guard subject.mayCallOperation, let superclass = subject.superclassType else { return nil }
    let name = superclass.trimmedDescription
    return Diagnostic(
      node: superclass,
      message: Self(
        "hiddenManualNotification",
        "'willChangeValue' and 'didChangeValue' in '\(subject.name.text)' notify no observers if "
          + "'\(name)' is a subclass of 'Operation', which has functions of these names; add "
          + "'@KeyValueObservable' to '\(name)'",
        severity: .warning
      )
    )
  }

  private static func unasked(
    _ answer: KeyQuestion.Answer, _ question: KeyQuestion, of subject: SubjectClass
  ) -> Diagnostic {
    Diagnostic(
      node: answer.name,
      message: Self(
        "unaskedAnswer",
        "'\(answer.call)' is never called because '\(subject.name.text)' declares "
          + "'\(question.function)(forKey:)' for all keys; call it there or remove one of the two",
        severity: .warning
      )
    )
  }

  private static func misnamed(
    _ answer: KeyQuestion.Answer, in subject: SubjectClass
  ) -> Diagnostic {
    Diagnostic(
      node: answer.name,
      message: Self(
        "misnamedAnswer",
        "'\(answer.call)' is never called because the body of '\(subject.name.text)' has no "
          + "property '\(answer.keys[0])'; rename it or remove it",
        severity: .warning
      )
    )
  }
}
