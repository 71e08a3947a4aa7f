import SwiftDiagnostics
import SwiftSyntax

/// A fix-it for a ``Refusal``.
struct Remedy: FixItMessage {
  let message: String
  let fixItID: MessageID

  private init(_ identifier: String, _ message: String) {
    self.message = message
    fixItID = MessageID(domain: "KeyValueObserving", id: identifier)
  }
}

extension Remedy {
  /// Marks the variable `@KeyValueIgnored`.
  static func ignore(_ variable: VariableDeclSyntax) -> FixIt {
    var ignored = variable.with(\.leadingTrivia, [])
    ignored.attributes.insert(
      .attribute("@\(raw: EmittedName.ignoredMacro) "), at: ignored.attributes.startIndex
    )
    return FixIt(
      message: Self("ignore", "mark \(variable.quotedNames) '@\(EmittedName.ignoredMacro)'"),
      changes: [
        .replace(
          oldNode: Syntax(variable),
          newNode: Syntax(ignored.with(\.leadingTrivia, variable.leadingTrivia))
        )
      ]
    )
  }

  /// Makes the class itself responsible for thread safety.
  static func guardByHand(_ conformance: TypeSyntax) -> FixIt {
    let unchecked: TypeSyntax = "@unchecked \(conformance.trimmed)"
    return FixIt(
      message: Self("guardByHand", "declare it '@unchecked Sendable' and guard it manually"),
      changes: [
        .replace(
          oldNode: Syntax(conformance),
          newNode: Syntax(unchecked.with(\.trailingTrivia, conformance.trailingTrivia))
        )
      ]
    )
  }

  /// Makes all changes of a call one change of a variable, which is delivered after it.
  static func mutate(_ name: String, around call: FunctionCallExprSyntax) -> FixIt {
    let mutation: ExprSyntax = "withMutation(of: \\.\(raw: name)) { \(call.trimmed) }"
    return FixIt(
      message: Self("mutate", "write 'withMutation(of: \\.\(name))' around the call"),
      changes: [
        .replace(
          oldNode: Syntax(call),
          newNode: Syntax(
            mutation.with(\.leadingTrivia, call.leadingTrivia)
              .with(\.trailingTrivia, call.trailingTrivia))
        )
      ]
    )
  }

  /// Makes a private declaration visible in the whole file.
  static func widen(_ modifier: DeclModifierSyntax) -> FixIt {
    let widened = modifier.with(\.name.tokenKind, .keyword(.fileprivate))
    return FixIt(
      message: Self("widen", "replace 'private' with 'fileprivate'"),
      changes: [.replace(oldNode: Syntax(modifier), newNode: Syntax(widened))]
    )
  }

  /// Gives each variable a declaration of its own.
  static func split(_ variable: VariableDeclSyntax) -> FixIt {
    let declarations = variable.bindings.enumerated().map { index, binding in
      let single = binding.with(\.typeAnnotation, binding.ownOrSharedType)
        .with(\.trailingComma, nil)
        .with(\.trailingTrivia, [])
      return MemberBlockItemSyntax(
        leadingTrivia: index == 0 ? variable.leadingTrivia : .newline + variable.indentation,
        decl: variable.trimmed.with(\.bindings, [single])
      )
    }
    return FixIt(
      message: Self("split", "declare each variable on its own"),
      changes: [
        .replace(
          oldNode: Syntax(variable),
          newNode: Syntax(MemberBlockItemListSyntax(declarations))
        )
      ]
    )
  }
}

extension VariableDeclSyntax {
  fileprivate var indentation: Trivia {
    Trivia(pieces: leadingTrivia.reversed().prefix { $0.isSpaceOrTab }.reversed())
  }
}

extension PatternBindingSyntax {
  /// The type in force: that of `a` in `var a, b: Int` is written with `b`.
  fileprivate var ownOrSharedType: TypeAnnotationSyntax? {
    if typeAnnotation != nil || initializer != nil { return typeAnnotation }
    guard let bindings = parent?.as(PatternBindingListSyntax.self) else { return nil }
    return bindings.first { $0.position > position && $0.typeAnnotation != nil }?.typeAnnotation
  }
}
