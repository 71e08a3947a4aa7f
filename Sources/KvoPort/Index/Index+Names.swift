internal import SwiftSyntax

// The declarations that names in expressions refer to.
extension Index {
  /// The type of the variable, parameter or type that a name refers to.
  func reference(_ node: DeclReferenceExprSyntax, in file: SourceFile) -> ScopedType? {
    let name = node.baseName.unescaped
    if name == "self" || name == "Self" {
      guard case .own(let type) = selfType(at: node, in: file) else { return nil }
      var found = scopedType(of: type)
      found.name.isMetatype = name == "Self"
      return found
    }
    switch local(name, at: node, in: file) {
    case .found(let type): return type
    case .hidden: return nil
    case .absent: break
    }
    if let global = global(name, from: file) {
      return type(of: global.0, in: global.1)
    }
    guard name.first?.isUppercase == true else { return nil }
    if name == "NSApp" {
      return ScopedType(name: TypeName("NSApplication"), scope: scope(at: node, in: file))
    }
    return ScopedType(name: TypeName(name, isMetatype: true), scope: scope(at: node, in: file))
  }

  enum LocalName {
    case found(ScopedType)
    /// There is a declaration, whose type the sources do not show.
    case hidden
    case absent

    init(_ type: ScopedType?) { self = type.map { .found($0) } ?? .hidden }
  }

  /// Looks for a name in the scopes around a node, from the inside to the outside.
  func local(_ name: String, at node: some SyntaxProtocol, in file: SourceFile) -> LocalName {
    var child = Syntax(node)
    while let parent = child.parent {
      let found = declaration(of: name, in: parent, above: child, file)
      guard case .absent = found else { return found }
      if type(of: parent) != nil || parent.is(ExtensionDeclSyntax.self),
        let type = type(of: parent) ?? enclosingType(of: child, in: file),
        let property = property(name, of: type)
      {
        return LocalName(self.type(of: property, in: type))
      }
      child = parent
    }
    return .absent
  }

  private func declaration(
    of name: String, in parent: Syntax, above child: Syntax, _ file: SourceFile
  ) -> LocalName {
    switch parent.as(SyntaxEnum.self) {
    case .codeBlockItemList(let items):
      for item in items.reversed() where item.position < child.position {
        let found = declaration(of: name, in: item, file)
        if case .absent = found { continue }
        return found
      }
      return .absent
    case .ifExpr(let node):
      return condition(node.conditions, declares: name, above: child, file)
    case .whileStmt(let node):
      return condition(node.conditions, declares: name, above: child, file)
    case .conditionElementList(let conditions):
      return condition(conditions, declares: name, above: child, file)
    case .forStmt(let node):
      guard !child.is(ExprSyntax.self), node.pattern.binds(name) else { return .absent }
      guard node.pattern.is(IdentifierPatternSyntax.self) else { return .hidden }
      let sequence = scopedType(of: node.sequence, in: file)
      return LocalName(
        sequence.flatMap { sequence in
          sequence.name.element.map { ScopedType(name: $0, scope: sequence.scope) }
        })
    case .switchCase(let node): return node.label.binds(name) ? .hidden : .absent
    case .catchClause(let node):
      return node.catchItems.isEmpty && name == "error" || node.catchItems.binds(name)
        ? .hidden : .absent
    case .accessorDecl(let node):
      return node.parameters?.name.unescaped == name ? .hidden : .absent
    case .closureExpr(let node):
      // A value in the capture list is that of a name outside.
      return child.is(ClosureSignatureSyntax.self) ? .absent : parameter(name, of: node, file)
    case .functionDecl(let node):
      return parameter(name, of: node.signature.parameterClause, node.genericParameterClause, file)
    case .initializerDecl(let node):
      return parameter(name, of: node.signature.parameterClause, node.genericParameterClause, file)
    case .subscriptDecl(let node):
      return parameter(name, of: node.parameterClause, node.genericParameterClause, file)
    default: return .absent
    }
  }

  private func declaration(
    of name: String, in item: CodeBlockItemSyntax, _ file: SourceFile
  ) -> LocalName {
    if let variable = item.item.as(VariableDeclSyntax.self) {
      if let binding = variable.bindings.first(where: { $0.name == name }) {
        return LocalName(type(of: binding, in: file))
      }
      for binding in variable.bindings {
        if let value = binding.value(of: name) {
          return LocalName(scopedType(of: value, in: file))
        }
        if binding.pattern.binds(name) { return .hidden }
      }
    }
    if let node = item.item.as(GuardStmtSyntax.self) {
      return condition(node.conditions, declares: name, above: nil, file)
    }
    return .absent
  }

  private func condition(
    _ conditions: ConditionElementListSyntax, declares name: String, above child: Syntax?,
    _ file: SourceFile
  ) -> LocalName {
    for element in conditions.reversed() {
      if let child, element.end > child.start { continue }
      if let matching = element.condition.as(MatchingPatternConditionSyntax.self),
        matching.pattern.binds(name)
      {
        return .hidden
      }
      guard let binding = element.condition.as(OptionalBindingConditionSyntax.self),
        binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.unescaped == name
      else { continue }
      if let annotation = binding.typeAnnotation?.type {
        return LocalName(
          TypeName(annotation).map { ScopedType(name: $0, scope: scope(at: element, in: file)) })
      }
      // `if let player` is about the `player` outside.
      guard let value = binding.initializer?.value else { continue }
      return LocalName(scopedType(of: value, in: file))
    }
    return .absent
  }

  private func type(
    of binding: PatternBindingSyntax, in file: SourceFile
  ) -> ScopedType? {
    if let annotation = binding.typeAnnotation?.type {
      return TypeName(annotation).map { ScopedType(name: $0, scope: scope(at: binding, in: file)) }
    }
    return binding.initializer.flatMap { scopedType(of: $0.value, in: file) }
  }

  private func parameter(
    _ name: String, of clause: FunctionParameterClauseSyntax,
    _ generics: GenericParameterClauseSyntax?,
    _ file: SourceFile
  ) -> LocalName {
    guard let parameter = clause.parameter(name) else { return .absent }
    guard var type = TypeName(parameter.type) else { return .hidden }
    if let generic = generics?.parameters.first(where: { $0.name.unescaped == type.name }) {
      guard let constraint = generic.inheritedType.flatMap({ TypeName($0) }) else { return .hidden }
      type = constraint
    }
    return .found(ScopedType(name: type, scope: scope(at: clause, in: file)))
  }

  private func parameter(
    _ name: String, of closure: ClosureExprSyntax, _ file: SourceFile
  ) -> LocalName {
    guard let signature = closure.signature else { return .absent }
    for capture in signature.capture?.items ?? [] where capture.capturedName == name {
      guard let value = capture.capturedValue else { return .absent }
      return LocalName(scopedType(of: value, in: file))
    }
    switch signature.parameterClause {
    case .parameterClause(let clause):
      guard
        let parameter = clause.parameters.first(where: {
          ($0.secondName ?? $0.firstName).unescaped == name
        })
      else { return .absent }
      if let type = parameter.type.flatMap({ TypeName($0) }) {
        return .found(ScopedType(name: type, scope: scope(at: closure, in: file)))
      }
      return parameter.id == clause.parameters.first?.id
        ? LocalName(observedObject(of: closure, file)) : .hidden
    case .simpleInput(let names):
      guard let index = names.firstIndex(where: { $0.name.unescaped == name }) else {
        return .absent
      }
      return index == names.startIndex
        ? LocalName(observedObject(of: closure, file)) : .hidden
    default: return .absent
    }
  }

  /// The type of the object that a handler of `observe` receives.
  private func observedObject(
    of closure: ClosureExprSyntax, _ file: SourceFile
  ) -> ScopedType? {
    let call =
      closure.parent?.as(FunctionCallExprSyntax.self)
      ?? closure.parent?.parent?.parent?.as(FunctionCallExprSyntax.self)
    guard let call, call.calledName == "observe", let base = call.base else { return nil }
    return scopedType(of: base, in: file)
  }
}

extension PatternBindingSyntax {
  /// The value of a name in `let (a, b) = (1, 2)`.
  fileprivate func value(of name: String) -> ExprSyntax? {
    guard let pattern = pattern.as(TuplePatternSyntax.self),
      let values = initializer?.value.as(TupleExprSyntax.self)?.elements,
      let index = pattern.elements.map(\.pattern.trimmedDescription).firstIndex(of: name),
      values.count == pattern.elements.count
    else { return nil }
    return Array(values)[index].expression
  }
}

extension SyntaxProtocol {
  /// Whether a pattern declares a variable of a name.
  fileprivate func binds(_ name: String) -> Bool {
    let finder = BindingFinder(name)
    finder.walk(self)
    return finder.isFound
  }
}

private final class BindingFinder: SyntaxVisitor {
  var isFound = false
  private let name: String

  init(_ name: String) {
    self.name = name
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
    if node.identifier.unescaped == name { isFound = true }
    return .skipChildren
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}

// The versions of SwiftSyntax have different properties for these.
extension ClosureCaptureSyntax {
  fileprivate var capturedName: String? {
    children(viewMode: .sourceAccurate).first { !$0.is(ClosureCaptureSpecifierSyntax.self) }?
      .firstToken(viewMode: .sourceAccurate)?.unescaped
  }

  /// The value behind `=`.
  fileprivate var capturedValue: ExprSyntax? {
    let equal = tokens(viewMode: .sourceAccurate).first { $0.tokenKind == .equal }
    return equal?.parent?.children(viewMode: .sourceAccurate).drop { $0.id != equal?.id }
      .dropFirst().first?.as(ExprSyntax.self)
  }
}
