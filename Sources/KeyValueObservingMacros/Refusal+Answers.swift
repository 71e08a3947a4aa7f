import SwiftDiagnostics
import SwiftSyntax

// What @KeyValueObservable warns of: answers for single keys that nobody would ask for.
extension Refusal {
  /// - Parameter inheritsKeys: Whether the superclass has keys, which the macro does not see.
  static func ofAnswers(in subject: SubjectClass, inheritsKeys: Bool) -> [Diagnostic] {
    KeyQuestion.all.flatMap { question -> [Diagnostic] in
      guard let function = subject.ownFunction(for: question) else {
        if inheritsKeys { return [] }
        let names = subject.variableNames
        return subject.answers(to: question).filter { names.isDisjoint(with: $0.keys) }
          .map { misnamed($0, in: subject) }
      }
      let body = function.body?.description ?? ""
      return subject.answers(to: question).filter { !body.contains($0.call) }
        .map { unasked($0, question, of: subject) }
    }
  }

  private static func unasked(
    _ answer: KeyQuestion.Answer, _ question: KeyQuestion, of subject: SubjectClass
  ) -> Diagnostic {
    Diagnostic(
      node: answer.name,
      message: Self(
        "unaskedAnswer",
        "'\(answer.call)' is never called, because '\(subject.name.text)' declares "
          + "'\(question.function)(forKey:)', which answers for all keys. Call it there, or remove "
          + "one of the two.",
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
        "'\(answer.call)' is called for no key, because the body of '\(subject.name.text)' has no "
          + "property '\(answer.keys[0])'. Name it after one that it has, or remove it.",
        severity: .warning
      )
    )
  }
}
