import SwiftSyntax

/// The statements of an initializer that run while the object is incomplete.
///
/// Swift lets them read what they have stored. The accessors of an observed property need the object,
/// so such an initializer would not compile. It gets a body that uses the storage there.
struct InitializerBeginning {
  private let initializer: InitializerDeclSyntax
  private let body: CodeBlockSyntax
  private let statementCount: Int
  /// The observed properties that may be used there.
  private let names: [String]

  /// Returns nil if the initializer may be left as it is: it reads no property there.
  init?(of initializer: InitializerDeclSyntax, in subject: SubjectClass) {
    // The body of an inlinable one would have to be without private names.
    guard let body = initializer.body, !initializer.modifiers.contains(.convenience),
      !initializer.attributes.contains(named: "inlinable"),
      // Swift does not compile one in a body that a macro provides.
      !body.hasCaptureList
    else { return nil }
    let count = body.statements.prefixWithIncompleteObject(of: subject)
    self.init(initializer, body, count, subject.observedVariables.compactMap(\.name?.unescapedName))
    let rewriter = rewriter
    _ = rewriter.rewrite(body)
    if !rewriter.hasRead { return nil }
    self.init(initializer, body, count, rewriter.found.sorted())
  }

  /// Reads again what the attribute of the initializer says.
  init?(of initializer: InitializerDeclSyntax, describedBy attribute: AttributeSyntax) {
    guard let body = initializer.body,
      case .argumentList(let arguments) = attribute.arguments,
      let count = arguments.first?.expression.as(IntegerLiteralExprSyntax.self)?.literal.text
    else { return nil }
    let names = arguments.dropFirst().compactMap(\.expression.literalText)
    self.init(initializer, body, Int(count) ?? 0, names)
  }

  private init(
    _ initializer: InitializerDeclSyntax, _ body: CodeBlockSyntax, _ statementCount: Int,
    _ names: [String]
  ) {
    self.initializer = initializer
    self.body = body
    self.statementCount = statementCount
    self.names = names
  }

  /// The attribute that passes this to `@_$KeyValueInitializer`, which does not see the other members.
  var attribute: AttributeSyntax {
    let arguments = ["\(statementCount)"] + names.map { "\"\($0.replacing("\"", with: "\\\""))\"" }
    return "@\(raw: EmittedName.initializerMacro)(\(raw: arguments.joined(separator: ", ")))"
  }

  var rewrittenBody: CodeBlockSyntax { rewriter.rewrite(body).cast(CodeBlockSyntax.self) }

  private var rewriter: OwnAccessRewriter {
    let storages = names.map { ($0, TokenSyntax.identifier($0).storageName) }
    let parameters = initializer.signature.parameterClause.parameters.map { parameter in
      (parameter.secondName ?? parameter.firstName).unescapedName
    }
    let statement = body.statements.dropFirst(statementCount).first
    return OwnAccessRewriter(
      storages: Dictionary(storages) { first, _ in first }, parameters: Set(parameters),
      until: statement?.position ?? body.endPosition)
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

extension CodeBlockItemListSyntax {
  /// How many statements run before the object is complete: those up to the call of `super.init`, or
  /// up to the one in which the last property gets its first value.
  ///
  /// A statement with blocks in it may complete the object in one of them and then use it, so it is not
  /// counted if it does.
  fileprivate func prefixWithIncompleteObject(of subject: SubjectClass) -> Int {
    let finder = CompletionFinder(names: subject.uninitializedNames)
    var (completed, stored): (Int?, Int) = (nil, 0)
    for (index, statement) in enumerated() {
      finder.walk(statement)
      let end = finder.isInBlock ? index : index + 1
      if finder.callsSuper { completed = completed ?? end }
      if finder.stores { stored = end }
      finder.reset()
    }
    return completed ?? (subject.extendsPlainObject ? count : stored)
  }
}

/// Finds what makes an object complete.
private final class CompletionFinder: SyntaxVisitor {
  /// The properties that have no value yet.
  private var names: Set<String>
  /// The effects of the statement that was walked since the last reset.
  private(set) var callsSuper = false
  private(set) var stores = false
  /// Whether it does one of that in a block of its own.
  private(set) var isInBlock = false

  init(names: Set<String>) {
    self.names = names
    super.init(viewMode: .sourceAccurate)
  }

  func reset() { (callsSuper, stores, isInBlock) = (false, false, false) }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    if node.base?.is(SuperExprSyntax.self) == true,
      node.declName.baseName.tokenKind == .keyword(.`init`)
    {
      callsSuper = true
      isInBlock = isInBlock || node.isInBlockOfStatement
    }
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    guard names.contains(node.baseName.unescapedName) else { return .skipChildren }
    var access = ExprSyntax(node)
    if let member = node.parent?.as(MemberAccessExprSyntax.self), member.declName.id == node.id {
      guard member.base?.isSelf == true else { return .skipChildren }
      access = ExprSyntax(member)
    }
    if access.isAssigned {
      names.remove(node.baseName.unescapedName)
      stores = true
      isInBlock = isInBlock || node.isInBlockOfStatement
    }
    return .skipChildren
  }
}

extension SyntaxProtocol {
  /// Whether this is in a block of a statement of the initializer, and not in the statement itself.
  fileprivate var isInBlockOfStatement: Bool {
    var lists = 0
    var node = parent
    while let current = node, !current.is(InitializerDeclSyntax.self) {
      if current.is(CodeBlockItemListSyntax.self) { lists += 1 }
      node = current.parent
    }
    return lists > 1
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
