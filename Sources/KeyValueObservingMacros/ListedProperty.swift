import SwiftSyntax

/// A property that is known by name: an entry of the key table.
struct ListedProperty {
  private let name: TokenSyntax
  private let kind: Kind
  private let isReadOnly: Bool
  private let isPrivate: Bool
  private let dependencies: [String]

  /// What a property is to its observers; each is a factory of `KeyValueProperty`.
  private enum Kind: String {
    case stored, weak, constant, computed
  }

  /// Returns the properties that a declaration declares and the class can form key paths to.
  static func all(in variable: VariableDeclSyntax, of subject: SubjectClass) -> [Self] {
    guard !variable.isTypeProperty, !variable.modifiers.contains(.lazy),
      !variable.attributes.contains(named: EmittedName.ignoredMacro),
      !variable.attributes.limitAvailability, subject.reaches(variable)
    else { return [] }
    return variable.bindings.compactMap { Self($0, of: variable) }
  }

  private init?(_ binding: PatternBindingSyntax, of variable: VariableDeclSyntax) {
    let modifiers = variable.modifiers
    guard let name = binding.name, !binding.hasEffects,
      binding.isComputed || !modifiers.contains(.override)
    else { return nil }
    self.name = name
    isPrivate = modifiers.isPrivate
    dependencies = variable.attributes.keyPathsDependedOn
    if variable.isLet {
      kind = .constant
      isReadOnly = false
    } else if binding.isComputed {
      kind = .computed
      isReadOnly = !binding.hasSetter || modifiers.hasPrivateSetter
    } else {
      kind = modifiers.contains(.weak) ? .weak : .stored
      isReadOnly = modifiers.hasPrivateSetter
    }
  }

  /// The expression that makes the entry, with key paths that start at `root` and at an optional
  /// of it, and a reader that needs neither.
  ///
  /// The reader knows the class, not `root`, which may be a generic parameter: then it would have to
  /// be told at run time.
  func entry(rootedAt root: String, of subject: SubjectClass) -> String {
    var arguments = [
      name.keyLiteral, "\\\(root).\(name.text)", "chained: \\\(root)?.?.\(name.text)",
    ]
    if isReadOnly { arguments.append("isReadOnly: true") }
    if isPrivate { arguments.append("isPrivate: true") }
    if !dependencies.isEmpty {
      arguments.append("dependsOn: [\(dependencies.joined(separator: ", "))]")
    }
    let object = "unsafeDowncast($0, to: \(subject.name.text).self)"
    arguments.append("reader: .init { \(object).\(name.text) }")
    return ".\(kind.rawValue)(\(arguments.joined(separator: ", ")))"
  }
}

extension AttributeListSyntax {
  /// The literals of every `@KeyValueDependent(on:)`. Other arguments are refused elsewhere.
  fileprivate var keyPathsDependedOn: [String] {
    compactMap { $0.as(AttributeSyntax.self) }
      .filter { $0.baseName == EmittedName.dependentMacro }
      .compactMap { $0.arguments?.as(LabeledExprListSyntax.self) }
      .flatMap { arguments in
        arguments.map(\.expression).filter { $0.literalText != nil }.map(\.trimmedDescription)
      }
  }
}
