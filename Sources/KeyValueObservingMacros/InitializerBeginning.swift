import SwiftSyntax

/// The part of an initializer that runs while the object is incomplete.
///
/// Swift lets it read what has been stored. The accessors of an observed property need the object, so such an
/// initializer would not compile. It gets a body that uses the storage there.
///
/// Nor would a `nonisolated` one of a class with a global actor, where Swift lets it store the properties. Nothing can
/// observe the object before it returns, so its whole body uses the storage.
struct InitializerBeginning {
  private let initializer: InitializerDeclSyntax
  private let body: CodeBlockSyntax
  /// The stored properties without which the object is incomplete.
  private let missing: [String]
  /// The observed properties that may be used there.
  private let names: [String]
  /// Whether it does not end before the initializer does.
  private let isWhole: Bool

  /// Returns nil if the initializer may be left as it is: it needs the storage of no property there.
  init?(of initializer: InitializerDeclSyntax, in subject: SubjectClass) {
    // The body of an inlinable one would have to be without private names.
    guard let body = initializer.body, !initializer.modifiers.contains(.convenience),
      !initializer.attributes.contains(named: "inlinable"),
      // Swift does not compile one in a body that a macro provides.
      !body.hasCaptureList
    else { return nil }
    let isWhole = subject.globalActor != nil && initializer.modifiers.contains(.nonisolated)
    let completion = ObjectCompletion(by: body, of: subject.uninitializedNames)
    // Swift calls the initializer of a plain superclass at the end, where none is called.
    if completion.isAtOnce, !subject.extendsPlainObject, !isWhole { return nil }
    self.init(
      initializer, body, missing: subject.extendsPlainObject ? [] : completion.missing,
      subject.observedVariables.compactMap(\.name?.unescapedName), isWhole: isWhole)
    let rewriter = rewriter
    _ = rewriter.rewrite(body)
    if isWhole ? rewriter.found.isEmpty : !rewriter.hasRead { return nil }
    self.init(initializer, body, missing: missing, rewriter.found.sorted(), isWhole: isWhole)
  }

  /// Reads again what the attribute of the initializer says.
  init?(of initializer: InitializerDeclSyntax, describedBy attribute: AttributeSyntax) {
    guard let body = initializer.body, case .argumentList(let arguments) = attribute.arguments
    else { return nil }
    let names = arguments.prefix { $0.label == nil }.compactMap(\.expression.literalText)
    let missing = arguments.dropFirst(names.count).compactMap(\.expression.literalText)
    self.init(
      initializer, body, missing: missing, names,
      isWhole: arguments.last?.label?.text == Self.wholeLabel)
  }

  private init(
    _ initializer: InitializerDeclSyntax, _ body: CodeBlockSyntax, missing: [String],
    _ names: [String], isWhole: Bool
  ) {
    self.initializer = initializer
    self.body = body
    self.missing = missing
    self.names = names
    self.isWhole = isWhole
  }

  private static let wholeLabel = "throughout"

  /// The attribute that passes this to `@_$KeyValueInitializer`, which does not see the other members.
  var attribute: AttributeSyntax {
    var arguments = literals(names)
    if isWhole {
      arguments += ", \(Self.wholeLabel): true"
    } else if !missing.isEmpty {
      arguments += ", missing: \(literals(missing))"
    }
    return "@\(raw: EmittedName.initializerMacro)(\(raw: arguments))"
  }

  private func literals(_ names: [String]) -> String {
    names.map { "\"\($0.replacing("\"", with: "\\\""))\"" }.joined(separator: ", ")
  }

  var rewrittenBody: CodeBlockSyntax { rewriter.rewrite(body).cast(CodeBlockSyntax.self) }

  private var rewriter: OwnAccessRewriter {
    let storages = names.map { ($0, TokenSyntax.identifier($0).storageName) }
    let parameters = initializer.signature.parameterClause.parameters.map { parameter in
      (parameter.secondName ?? parameter.firstName).unescapedName
    }
    return OwnAccessRewriter(
      storages: Dictionary(storages) { first, _ in first }, parameters: Set(parameters),
      until: isWhole ? nil : ObjectCompletion(by: body, of: Set(missing)))
  }
}

extension SubjectClass {
  /// The bindings of the variables that become observed ones.
  fileprivate var observedVariables: [PatternBindingSyntax] {
    variables.filter(\.isObservedStorage).flatMap(\.bindings)
  }

  /// The names of stored properties that only an initializer gives a value to.
  fileprivate var uninitializedNames: Set<String> {
    let bindings = variables.filter { $0.isStored && !$0.isTypeProperty }
      .flatMap { variable in variable.bindings.filter { variable.isLet || !$0.isOptional } }
    return Set(bindings.filter { $0.initializer == nil }.compactMap { $0.name?.unescapedName })
  }

  /// Whether the superclass is known to be one whose initializer Swift calls where none is called.
  fileprivate var extendsPlainObject: Bool { superclassType?.baseName == "NSObject" }
}

extension PatternBindingSyntax {
  fileprivate var isOptional: Bool {
    guard let type = typeAnnotation?.type else { return false }
    return type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }
}

/// Finds a capture list of a closure.
private final class CaptureFinder: SyntaxVisitor {
  private(set) var hasFound = false

  override func visit(_ node: ClosureCaptureClauseSyntax) -> SyntaxVisitorContinueKind {
    hasFound = true
    return .skipChildren
  }
}

extension CodeBlockSyntax {
  fileprivate var hasCaptureList: Bool {
    let finder = CaptureFinder(viewMode: .sourceAccurate)
    finder.walk(self)
    return finder.hasFound
  }
}
