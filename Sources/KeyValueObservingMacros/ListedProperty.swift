import SwiftSyntax

/// A property that is known by name: an entry of the key table.
struct ListedProperty {
  private let name: TokenSyntax
  private let keyLiteral: String
  private let kind: Kind
  private let isReadOnly: Bool
  /// Whether it is a `weak let`, whose getter does not record reads.
  private let isSilent: Bool
  /// Whether it is stored and spelled as a collection, which its proxies change in place.
  private let isCollection: Bool
  let isDeprecated: Bool
  private let dependencies: [String]

  /// The kind of a property; each is a factory of `KeyValueProperty`.
  private enum Kind: String {
    case stored, weak, constant, computed
    /// Adds observers to a property of a superclass.
    case overriding
  }

  /// Returns the properties that a declaration declares and the class can form key paths to.
  static func all(in variable: VariableDeclSyntax, of subject: SubjectClass) -> [Self] {
    guard !variable.isTypeProperty, !variable.modifiers.contains(.lazy),
      !variable.attributes.contains(named: EmittedName.ignoredMacro),
      !variable.attributes.limitAvailability, subject.reaches(variable)
    else { return [] }
    return variable.bindings.compactMap { Self($0, of: variable, in: subject) }
  }

  private init?(
    _ binding: PatternBindingSyntax, of variable: VariableDeclSyntax, in subject: SubjectClass
  ) {
    let modifiers = variable.modifiers
    guard let name = binding.name, name.unescapedName != EmittedName.registrar,
      !binding.hasEffects, !binding.isOfDynamicSelf,
      !VariableDeclSyntax.namesWithoutKeyPath.contains(name.unescapedName),
      !binding.isNoncopyable(in: subject)
    else { return nil }
    self.name = name
    keyLiteral = name.keyLiteral(of: variable, in: subject)
    isDeprecated = variable.attributes.deprecate
    dependencies = variable.attributes.keyPathsDependedOn
    // An observer of the storage may change the collection after an edit, so it is set as a whole.
    isCollection = !variable.isLet && binding.accessorBlock == nil && binding.isCollection
    isSilent = variable.isLet && modifiers.contains(.weak)
    if variable.isLet {
      kind = isSilent ? .weak : .constant
      isReadOnly = isSilent
    } else if binding.isComputed {
      kind = .computed
      isReadOnly = !binding.hasSetter || subject.keepsSetter(of: variable)
    } else if modifiers.contains(.override) {
      kind = .overriding
      isReadOnly = false
    } else {
      kind = modifiers.contains(.weak) ? .weak : .stored
      isReadOnly = subject.keepsSetter(of: variable)
    }
  }

  /// Whether there is nothing to say of it but its name.
  private var isPlain: Bool {
    kind == .stored && !isReadOnly && dependencies.isEmpty
  }

  /// The statement that adds the entry to the list `properties`, with key paths that start at `root`
  /// and at an optional of it, and an accessor that needs neither.
  ///
  /// The accessor knows the class, not `root`, which may be a generic parameter: then the type
  /// would be passed at run time.
  func statement(rootedAt root: String, of subject: SubjectClass) -> String {
    var arguments = [
      keyLiteral, "\\\(root).\(name.text)", "chained: \\\(root)?.?.\(name.text)",
    ]
    if kind == .overriding { return statement(with: arguments) }
    if isReadOnly { arguments.append("isReadOnly: true") }
    if !dependencies.isEmpty {
      arguments.append("dependsOn: [\(dependencies.joined(separator: ", "))]")
    }
    arguments.append("accessor: .init\(accessor(of: subject))")
    if isPlain {
      arguments.append("to: &properties")
      return call("\(EmittedName.propertyType).\(EmittedName.addStored)", arguments)
    }
    return statement(with: arguments)
  }

  private func statement(with arguments: [String]) -> String {
    let property = call("\(EmittedName.propertyType).\(kind.rawValue)", arguments)
    return "\(property).\(EmittedName.append)(to: &properties)"
  }

  private func call(_ function: String, _ arguments: [String]) -> String {
    "\(function)(\(arguments.joined(separator: ", ")))"
  }

  /// The arguments of the accessor.
  ///
  /// That of a `weak let` records the read itself.
  private func accessor(of subject: SubjectClass) -> String {
    let object = subject.downcast()
    let value = "\(object).\(name.text)"
    if isSilent {
      let arguments = "\(keyLiteral), of: $0, target: target as AnyObject?"
      let access = "\(EmittedName.registrar).access(\(arguments))"
      return " { { let target = $0.\(name.text); $0.\(access); return target }(\(object)) }"
    }
    return isCollection ? "({ \(value) }, modify: { $1(&\(value)) })" : " { \(value) }"
  }
}

extension PatternBindingSyntax {
  /// Whether its type or its initial value is spelled as an array, a set or a dictionary.
  fileprivate var isCollection: Bool {
    if let type = typeAnnotation?.type { return type.isCollection }
    guard let value = initializer?.value else { return false }
    if value.is(ArrayExprSyntax.self) || value.is(DictionaryExprSyntax.self) { return true }
    guard let callee = value.callee else { return false }
    return callee.is(ArrayExprSyntax.self) || callee.is(DictionaryExprSyntax.self)
      || collectionNames.contains(callee.trimmedDescription)
  }

  /// Whether its type is spelled as one of the standard library's noncopyable types, or as a generic
  /// parameter that is noncopyable: Swift has no key path to it.
  ///
  /// For other noncopyable types the compiler reports an error.
  func isNoncopyable(in subject: SubjectClass) -> Bool {
    if let type = typeAnnotation?.type {
      return noncopyableNames.contains(type.baseName) || subject.isNoncopyableParameter(type)
    }
    let callee = initializer?.value.callee
    let name =
      callee?.as(MemberAccessExprSyntax.self)?.declName ?? callee?.as(DeclReferenceExprSyntax.self)
    return name.map { noncopyableNames.contains($0.baseName.text) } ?? false
  }
}

extension ExprSyntax {
  /// The called expression, without generic arguments.
  fileprivate var callee: ExprSyntax? {
    let callee = self.as(FunctionCallExprSyntax.self)?.calledExpression
    return callee?.as(GenericSpecializationExprSyntax.self)?.expression ?? callee
  }
}

extension TypeSyntax {
  fileprivate var isCollection: Bool {
    self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self)
      || collectionNames.contains(baseName)
  }
}

private let collectionNames: Set<String> = ["Array", "Dictionary", "Set"]

private let noncopyableNames: Set<String> = ["Atomic", "AtomicLazyReference", "Mutex"]

extension AttributeListSyntax {
  /// The literals of every `@KeyValueDependent(on:)`.
  ///
  /// Other arguments are refused elsewhere.
  fileprivate var keyPathsDependedOn: [String] {
    compactMap { $0.as(AttributeSyntax.self) }
      .filter { $0.baseName == EmittedName.dependentMacro }
      .compactMap { $0.arguments?.as(LabeledExprListSyntax.self) }
      .flatMap { arguments in
        arguments.map(\.expression).filter { $0.literalText != nil }.map(\.trimmedDescription)
      }
  }
}
