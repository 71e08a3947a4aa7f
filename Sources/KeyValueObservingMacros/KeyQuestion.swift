import SwiftSyntax

/// A class-level function that the library calls for each key of an observable class.
///
/// Cocoa's default implementation looks for a class function with the key in its name. Such
/// functions cannot be found at run time here, so the macro writes the default implementation for
/// those that the class declares.
struct KeyQuestion {
  /// The function that takes the key.
  let function: String
  /// The one that takes the key and answers for a class that declares `function` itself: Cocoa's default
  /// answer, which `super` gives there, is that of the class that is asked.
  let ownFunction: String
  /// The beginning of the names of functions with a key in their name.
  let prefix: String
  let answerType: String
  let defaultAnswer: String
  /// Whether the library asks both functions and unites the answers.
  let isUnited: Bool

  static let all = [automaticallyNotifies, affectingKeyPaths]

  static let automaticallyNotifies = Self(
    function: EmittedName.automaticallyNotifies,
    ownFunction: EmittedName.ownAutomaticallyNotifies, prefix: "automaticallyNotifiesObserversOf",
    answerType: EmittedName.bool, defaultAnswer: "true", isUnited: false)

  static let affectingKeyPaths = Self(
    function: EmittedName.affectingKeyPaths, ownFunction: EmittedName.ownAffectingKeyPaths,
    prefix: "keyPathsForValuesAffecting",
    answerType: "\(EmittedName.set)<\(EmittedName.string)>", defaultAnswer: "[]", isUnited: true)

  /// A declaration of the answer for one key.
  struct Answer {
    let name: TokenSyntax
    private let key: String
    private let isFunction: Bool

    init?(_ name: TokenSyntax, isFunction: Bool, to question: KeyQuestion) {
      guard name.text.hasPrefix(question.prefix) else { return nil }
      key = String(name.text.dropFirst(question.prefix.count))
      // The rest is a word of its own, and not the end of another one.
      guard let first = key.first, !first.isLowercase else { return nil }
      self.name = name
      self.isFunction = isFunction
    }

    /// The keys with that name: the first letter of a key is a capital one behind the prefix, whether
    /// it is one in the key or not.
    var keys: [String] {
      let lowercase = key.prefix(1).lowercased() + key.dropFirst()
      return lowercase == key ? [key] : [lowercase, key]
    }

    /// How it is asked, and how it is called in a message.
    var call: String { name.text + (isFunction ? "()" : "") }
  }
}

extension SubjectClass {
  /// The answers for single keys that the class declares.
  func answers(to question: KeyQuestion) -> [KeyQuestion.Answer] {
    declaration.memberBlock.members.compactMap { member in
      if let function = member.decl.as(FunctionDeclSyntax.self), function.modifiers.areOfType,
        function.signature.parameterClause.parameters.isEmpty
      {
        return KeyQuestion.Answer(function.name, isFunction: true, to: question)
      }
      guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isTypeProperty,
        let name = variable.bindings.first?.name
      else { return nil }
      return KeyQuestion.Answer(name, isFunction: false, to: question)
    }
  }

  /// The names of all variables in the class body.
  var variableNames: Set<String> {
    Set(variables.flatMap(\.bindings).compactMap { $0.name?.unescapedName })
  }

  /// The function of the class that takes the key, if it declares it itself.
  func ownFunction(for question: KeyQuestion) -> FunctionDeclSyntax? {
    declaration.memberBlock.members.lazy.compactMap { $0.decl.as(FunctionDeclSyntax.self) }.first {
      $0.name.text == question.function && !$0.signature.parameterClause.parameters.isEmpty
    }
  }
}

extension DeclModifierListSyntax {
  /// Whether they make a member one of the type.
  fileprivate var areOfType: Bool { contains(.static) || contains(.class) }
}
