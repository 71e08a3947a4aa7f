import SwiftDiagnostics
import SwiftSyntax

// What @KeyValueObservable warns of: declarations that would never be asked.
extension Refusal {
  static func ofAnswers(in subject: SubjectClass) -> [Diagnostic] {
    KeyQuestion.all.flatMap { question -> [Diagnostic] in
      guard let function = subject.ownFunction(for: question) else { return [] }
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
}
