internal import SwiftSyntax

/// Warns of initializers that use observed properties before the object is complete.
enum InitializerWarnings: Pattern {
  static func apply(to port: FilePort) {
    for node in port.nodes.initializers {
      guard let container = node.container, let type = port.index.type(of: container),
        port.index.isToBeAnnotated(type), let body = node.body
      else { continue }
      noteObservers(in: body, of: type, port)
      warnOfReads(in: body, of: type, node, port)
    }
  }

  /// An initializer's assignment calls `willSet` and `didSet` here.
  private static func noteObservers(
    in body: CodeBlockSyntax, of type: TypeDeclaration, _ port: FilePort
  ) {
    let observing = Set(
      type.properties.values.filter { property in
        property.isDynamic && property.binding.accessors.contains(where: \.isObserver)
      }.map(\.name))
    guard !observing.isEmpty else { return }
    let finder = AssignmentFinder(observing)
    finder.walk(body)
    for (node, name) in finder.assignments {
      port.leave(
        .initializerObserver, at: node, note: Messages.initializerObserver(name), usesLibrary: false
      )
    }
  }

  /// The macro makes reads before `super.init` possible, but not if there is a capture list.
  private static func warnOfReads(
    in body: CodeBlockSyntax, of type: TypeDeclaration, _ node: InitializerDeclSyntax,
    _ port: FilePort
  ) {
    let observed = Set(
      type.properties.values.filter { $0.isDynamic && $0.isStoredVariable }.map(\.name))
    let finder = AssignmentFinder(observed)
    finder.walk(body)
    guard finder.hasCaptureList || node.attributes.contains(named: "inlinable"),
      let end = finder.superInitializer
    else { return }
    for (node, name) in finder.reads where node.end < end {
      port.warn(.initializerRead, at: node, Messages.initializerRead(name))
    }
  }
}

/// Finds assignments to properties, and reads of them.
private final class AssignmentFinder: SyntaxVisitor {
  var assignments: [(node: Syntax, name: String)] = []
  var reads: [(node: Syntax, name: String)] = []
  var hasCaptureList = false
  var superInitializer: Int?
  private let names: Set<String>
  private var targets: Set<SyntaxIdentifier> = []

  init(_ names: Set<String>) {
    self.names = names
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    let elements = Array(node.elements)
    if elements.count > 1, elements[1].is(AssignmentExprSyntax.self),
      let name = Self.property(elements[0]), names.contains(name)
    {
      targets.insert(elements[0].id)
      assignments.append((Syntax(elements[0]), name))
    }
    return .visitChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    if targets.contains(node.id) { return .skipChildren }
    guard let name = Self.property(ExprSyntax(node)), names.contains(name) else {
      return .visitChildren
    }
    reads.append((Syntax(node), name))
    return .skipChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.baseName.unescaped
    guard names.contains(name), !targets.contains(node.id), node.localDeclaration(of: name) == nil,
      node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != node.id
    else { return .visitChildren }
    reads.append((Syntax(node), name))
    return .visitChildren
  }

  override func visit(_ node: ClosureCaptureClauseSyntax) -> SyntaxVisitorContinueKind {
    hasCaptureList = true
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if node.calledName == "init", node.base?.is(SuperExprSyntax.self) == true {
      superInitializer = superInitializer ?? node.start
    }
    return .visitChildren
  }

  /// The name in `name` or `self.name`.
  private static func property(_ expression: ExprSyntax) -> String? {
    if let member = expression.as(MemberAccessExprSyntax.self) {
      return member.base?.trimmedDescription == "self" ? member.declName.baseName.unescaped : nil
    }
    return expression.as(DeclReferenceExprSyntax.self)?.baseName.unescaped
  }
}
