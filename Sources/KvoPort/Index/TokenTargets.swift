internal import SwiftSyntax

/// The variables that store the tokens of observations, and the functions and parameters that pass them on.
struct TokenTargets {
  /// The bindings, functions and parameters whose type is that of a result of `observe`.
  private(set) var observations: Set<SyntaxIdentifier> = []
  /// Those with tokens of a notification center.
  private(set) var notifications: Set<SyntaxIdentifier> = []
  /// Those to which other values are appended.
  private(set) var mixed: Set<SyntaxIdentifier> = []

  init(_ index: Index) {
    var tokens: Set<SyntaxIdentifier> = []
    for file in index.files {
      for call in file.nodes.calls {
        let isNotification = call.calledName == "addObserver" && call.labels.first == "forName"
        let isObservation = Observation(call).map { $0.kind == .typed } ?? false
        guard isNotification || isObservation else { continue }
        var flow = TokenFlow(index)
        flow.follow(Syntax(call), in: file)
        tokens.formUnion(flow.tokens)
        if isObservation {
          observations.formUnion(flow.targets)
        } else {
          notifications.formUnion(flow.targets)
        }
      }
    }
    for file in index.files {
      for call in file.nodes.calls {
        mixed.formUnion(Self.mixedTargets(of: call, tokens, index, file))
      }
    }
  }

  /// The variables to which a call adds another value than a token: `append(cancellable)`, and `store(in:)`
  /// of Combine.
  private static func mixedTargets(
    of call: FunctionCallExprSyntax, _ tokens: Set<SyntaxIdentifier>, _ index: Index,
    _ file: SourceFile
  ) -> [SyntaxIdentifier] {
    guard let argument = call.arguments.first else { return [] }
    let flow = TokenFlow(index)
    switch (call.calledName, argument.label?.text) {
    case ("store", "in"):
      let target = argument.expression.as(InOutExprSyntax.self)?.expression
      return target.flatMap { flow.variable($0, file) }.map { [$0.id] } ?? []
    case ("append", nil), ("insert", nil):
      guard let base = call.base, !tokens.contains(argument.expression.id) else { return [] }
      return flow.variable(base, file).map { [$0.id] } ?? []
    default: return []
    }
  }
}

/// The way of a token from the call that returns it to variables.
struct TokenFlow {
  /// The bindings, functions and parameters whose values are tokens.
  private(set) var targets: Set<SyntaxIdentifier> = []
  /// The expressions that are tokens.
  private(set) var tokens: Set<SyntaxIdentifier> = []
  private let index: Index

  init(_ index: Index) { self.index = index }

  /// Follows an expression that is a token.
  mutating func follow(_ token: Syntax, in file: SourceFile) {
    guard tokens.insert(token.id).inserted, let target = target(of: token, file) else { return }
    add(target, in: file)
  }

  private mutating func add(_ target: Syntax, in file: SourceFile) {
    guard targets.insert(target.id).inserted else { return }
    if let binding = target.as(PatternBindingSyntax.self), let name = binding.name,
      let block = binding.parent?.parent?.parent?.parent?.as(CodeBlockItemListSyntax.self),
      !block.isTopLevel
    {
      let finder = ReferenceFinder(name, of: binding)
      finder.walk(block)
      for reference in finder.references { follow(Syntax(reference), in: file) }
    }
    if let function = target.as(FunctionDeclSyntax.self) {
      for (call, file) in calls(of: function) { follow(Syntax(call), in: file) }
    }
    if let parameter = target.as(FunctionParameterSyntax.self),
      let function = parameter.parent?.parent?.parent?.parent?.as(FunctionDeclSyntax.self)
    {
      for (call, file) in calls(of: function) {
        let argument = call.arguments(of: function).first { $0.parameter.id == parameter.id }?
          .value.as(InOutExprSyntax.self)
        let collection = argument.flatMap { variable($0.expression, file) }
        collection.map { add($0, in: file) }
      }
    }
  }

  private func calls(
    of function: FunctionDeclSyntax
  ) -> [(call: FunctionCallExprSyntax, file: SourceFile)] {
    let name = function.name.unescaped
    index.loadCallers(of: name)
    return index.files.flatMap { file in
      file.nodes.calls.filter { call in
        call.calledName == name && index.function(of: call, in: file)?.node.id == function.id
      }
      .map { ($0, file) }
    }
  }

  /// The variable to which a value is assigned or appended, or the function that returns it.
  private func target(of value: Syntax, _ file: SourceFile) -> Syntax? {
    guard let parent = value.parent else { return nil }
    switch parent.as(SyntaxEnum.self) {
    case .arrayElement, .arrayElementList, .arrayExpr, .initializerClause:
      return target(of: parent, file)
    case .patternBinding: return parent
    case .exprList(let list):
      let elements = Array(list)
      guard elements.count == 3, elements[2].id == value.id,
        elements[1].is(AssignmentExprSyntax.self) || elements[1].trimmedDescription == "+="
      else { return nil }
      return variable(elements[0], file)
    case .labeledExpr(let argument):
      guard let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self),
        ["append", "insert"].contains(call.calledName), let base = call.base
      else { return nil }
      return variable(base, file)
    case .returnStmt: return owner(of: parent, file)
    case .codeBlockItem(let item):
      let list = item.parent?.as(CodeBlockItemListSyntax.self)
      return list?.count == 1 ? owner(of: parent, file) : nil
    default: return nil
    }
  }

  /// The function or the variable whose value a statement returns.
  private func owner(of statement: Syntax, _ file: SourceFile) -> Syntax? {
    var current = statement.parent
    while let node = current {
      switch node.as(SyntaxEnum.self) {
      case .functionDecl(let function):
        // A token may be returned as anything.
        let names = function.signature.returnClause?.tokens(viewMode: .sourceAccurate).map(\.text)
        return names.map { !$0.contains("Any") && !$0.contains("AnyObject") } == true ? node : nil
      case .patternBinding: return node
      case .closureExpr:
        // `lazy var token = { … }()`
        let call = node.parent?.as(FunctionCallExprSyntax.self)
        guard let call, call.calledExpression.id == node.id else { return nil }
        return target(of: Syntax(call), file)
      case .codeBlock(let block) where block.parent?.is(FunctionDeclSyntax.self) != true:
        guard
          statement.is(ReturnStmtSyntax.self) || block.parent?.is(AccessorDeclSyntax.self) == true
        else { return nil }
      case .initializerDecl, .subscriptDecl, .memberBlock: return nil
      default: break
      }
      current = node.parent
    }
    return nil
  }

  /// The declaration of a variable that is assigned, or is the base of a call.
  func variable(_ expression: ExprSyntax, _ file: SourceFile) -> Syntax? {
    if let chain = expression.as(OptionalChainingExprSyntax.self) {
      return variable(chain.expression, file)
    }
    if let unwrapped = expression.as(ForceUnwrapExprSyntax.self) {
      return variable(unwrapped.expression, file)
    }
    if let call = expression.as(SubscriptCallExprSyntax.self) {
      return variable(call.calledExpression, file)
    }
    if let member = expression.as(MemberAccessExprSyntax.self), let base = member.base {
      guard case .own(let type) = index.type(of: base, in: file) else { return nil }
      let property = index.property(member.declName.baseName.unescaped, of: type)
      return property.map { Syntax($0.binding) }
    }
    guard let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.unescaped else {
      return nil
    }
    switch expression.localDeclaration(of: name) {
    case .binding(let binding): return Syntax(binding)
    case .parameter(let parameter): return Syntax(parameter)
    case .other: return nil
    case nil: break
    }
    guard let type = index.enclosingType(of: expression, in: file) else {
      return index.global(name, from: file).map { Syntax($0.0) }
    }
    return index.property(name, of: type).map { Syntax($0.binding) }
  }
}

/// Finds the uses of a local variable.
private final class ReferenceFinder: SyntaxVisitor {
  var references: [DeclReferenceExprSyntax] = []
  private let name: String
  private let binding: PatternBindingSyntax

  init(_ name: String, of binding: PatternBindingSyntax) {
    (self.name, self.binding) = (name, binding)
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if node.baseName.unescaped == name, node.localBinding(of: name)?.id == binding.id {
      references.append(node)
    }
    return .visitChildren
  }
}

extension CodeBlockItemListSyntax {
  /// Whether the statements are those of a file.
  var isTopLevel: Bool { parent?.is(SourceFileSyntax.self) == true }
}
