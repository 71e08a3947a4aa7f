internal import SwiftSyntax

// The types of expressions.
extension Index {
  /// The innermost type around a node: the one that is declared or extended there.
  func enclosingType(of node: some SyntaxProtocol, in file: SourceFile) -> TypeDeclaration? {
    var current = node.parent
    while let parent = current {
      if let type = type(of: parent) { return type }
      if let node = parent.as(ExtensionDeclSyntax.self) {
        return TypeName(node.extendedType).flatMap {
          type(named: $0.name, from: Scope(file: file, type: nil))
        }
      }
      current = parent.parent
    }
    return nil
  }

  /// The type of `self` at a node, which may be one that an extension extends.
  func selfType(at node: some SyntaxProtocol, in file: SourceFile) -> ValueType {
    if let type = enclosingType(of: node, in: file) { return .own(type) }
    var current = node.parent
    while let parent = current {
      if let node = parent.as(ExtensionDeclSyntax.self), let name = TypeName(node.extendedType) {
        return value(
          of: ScopedType(
            name: node.genericWhereClause?.constraint(of: "Self") ?? name,
            scope: Scope(file: file, type: nil)))
      }
      current = parent.parent
    }
    return .unknown
  }

  /// The type of the object whose method is called.
  func receiver(of call: FunctionCallExprSyntax, in file: SourceFile) -> ValueType {
    guard let base = call.base else {
      return call.calledExpression.is(DeclReferenceExprSyntax.self)
        ? selfType(at: call, in: file) : .unknown
    }
    return type(of: base, in: file)
  }

  func type(of expression: ExprSyntax, in file: SourceFile) -> ValueType {
    if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text,
      name == "self" || name == "Self"
    {
      return selfType(at: expression, in: file)
    }
    return scopedType(of: expression, in: file).map(value) ?? .unknown
  }

  func value(of type: ScopedType) -> ValueType {
    if let own = self.type(named: type.name.name, from: type.scope) { return .own(own) }
    if let constraint = type.scope.type?.node.ownConstraint(of: type.name.name) {
      return value(of: ScopedType(name: constraint, scope: Scope(file: type.scope.file, type: nil)))
    }
    guard let alias = typeAlias(type.name.name, from: type.scope.file), alias.name != type.name.name
    else { return .framework(type.name) }
    return .framework(alias)
  }

  /// The type of an expression, as a name; nil if it depends on itself.
  func scopedType(of expression: ExprSyntax, in file: SourceFile) -> ScopedType? {
    resolve(expression) { findScopedType(of: expression, in: file) }
  }

  private func findScopedType(of expression: ExprSyntax, in file: SourceFile) -> ScopedType? {
    func inner(_ expression: ExprSyntax) -> ScopedType? { scopedType(of: expression, in: file) }
    func literal(_ name: String) -> ScopedType {
      ScopedType(name: TypeName(name), scope: Scope(file: file, type: nil))
    }
    switch expression.as(ExprSyntaxEnum.self) {
    case .declReferenceExpr(let node): return reference(node, in: file)
    case .memberAccessExpr(let node): return member(node, in: file)
    case .functionCallExpr(let node): return call(node, in: file)
    case .optionalChainingExpr(let node): return inner(node.expression)
    case .forceUnwrapExpr(let node): return inner(node.expression)
    case .tryExpr(let node): return inner(node.expression)
    case .awaitExpr(let node): return inner(node.expression)
    case .tupleExpr(let node):
      return node.elements.count == 1 ? node.elements.first.flatMap { inner($0.expression) } : nil
    case .subscriptCallExpr(let node):
      guard var base = inner(node.calledExpression), let element = base.name.element else {
        return nil
      }
      base.name = element
      return base
    case .sequenceExpr(let node): return sequence(node, in: file)
    case .stringLiteralExpr: return literal("String")
    case .dictionaryExpr: return literal(TypeName.dictionary)
    case .arrayExpr(let node):
      var array = literal(TypeName.array)
      guard let first = node.elements.first?.expression, let element = inner(first) else {
        return array
      }
      array.name.arguments = [element.name]
      array.scope = element.scope
      return array
    case .superExpr:
      guard let type = enclosingType(of: expression, in: file) else { return nil }
      return superclass(of: type).map(scopedType)
        ?? frameworkSuperclass(of: type).map {
          ScopedType(name: $0, scope: Scope(file: file, type: nil))
        }
    default: return expression.insideUnsafe.flatMap(inner)
    }
  }

  /// The name of a type that the sources declare.
  func scopedType(of type: TypeDeclaration) -> ScopedType {
    ScopedType(name: TypeName(type.qualifiedName), scope: Scope(file: type.file, type: type))
  }

  private func sequence(_ node: SequenceExprSyntax, in file: SourceFile) -> ScopedType? {
    let elements = Array(node.elements)
    if let cast = elements.lastIndex(where: { $0.is(UnresolvedAsExprSyntax.self) }),
      cast + 1 < elements.count, let type = elements[cast + 1].as(TypeExprSyntax.self)
    {
      return TypeName(type.type).map { ScopedType(name: $0, scope: scope(at: node, in: file)) }
    }
    guard elements.count > 1, let symbol = elements[1].as(BinaryOperatorExprSyntax.self)?.operator,
      symbol.text == "??"
    else { return nil }
    return scopedType(of: elements[0], in: file)
  }

  private func call(_ node: FunctionCallExprSyntax, in file: SourceFile) -> ScopedType? {
    if let member = node.calledExpression.as(MemberAccessExprSyntax.self) {
      let name = member.declName.baseName.unescaped
      guard let base = member.base, let baseType = baseType(of: base, in: file) else { return nil }
      if name == "init" { return instance(of: baseType) }
      if let type = self.member(name, of: baseType), type.name.isMetatype {
        return instance(of: type)
      }
      return function(of: node, in: file).flatMap(returnType)
    }
    guard let reference = node.calledExpression.as(DeclReferenceExprSyntax.self) else {
      // `Set<KeyValueObservation>()`
      let specialized = node.calledExpression.as(GenericSpecializationExprSyntax.self)?.expression
      return specialized.flatMap { scopedType(of: $0, in: file) }.map(instance)
    }
    let name = reference.baseName.unescaped
    if name.first?.isUppercase == true {
      return ScopedType(name: TypeName(name), scope: scope(at: node, in: file))
    }
    return function(of: node, in: file).flatMap(returnType)
  }

  /// A function of the sources, with the type that it is a member of.
  struct FoundFunction {
    let node: FunctionDeclSyntax
    let file: SourceFile
    let type: TypeDeclaration?
  }

  /// The function of the sources that is called.
  func function(of call: FunctionCallExprSyntax, in file: SourceFile) -> FoundFunction? {
    guard let name = call.calledName else { return nil }
    if let member = call.calledExpression.as(MemberAccessExprSyntax.self) {
      let type = member.base.flatMap { baseType(of: $0, in: file) }.flatMap { value(of: $0).own }
      return type.flatMap { method(name, of: $0, call) }
    }
    let type = enclosingType(of: call, in: file)
    if let method = type.flatMap({ method(name, of: $0, call) }) { return method }
    let functions = freeFunctions[name] ?? []
    let called = functions.first { call.fits($0.node) } ?? functions.first
    return called.map { FoundFunction(node: $0.node, file: $0.file, type: nil) }
  }

  /// The method of a type or of its superclasses that is called.
  ///
  /// Of several overloads, the first one with the labels of the call is preferred.
  private func method(
    _ name: String, of type: TypeDeclaration, _ call: FunctionCallExprSyntax
  ) -> FoundFunction? {
    for type in [type] + superclasses(of: type) {
      guard let overloads = type.overloads[name] else { continue }
      let node = overloads.first(where: call.fits) ?? overloads[0]
      return FoundFunction(node: node, file: type.file, type: type)
    }
    return nil
  }

  private func instance(of type: ScopedType) -> ScopedType {
    var type = type
    type.name.isMetatype = false
    return type
  }

  private func returnType(of function: FoundFunction) -> ScopedType? {
    guard let clause = function.node.signature.returnClause, let name = TypeName(clause.type) else {
      return nil
    }
    return ScopedType(name: name, scope: Scope(file: function.file, type: function.type))
  }

  private func member(_ node: MemberAccessExprSyntax, in file: SourceFile) -> ScopedType? {
    guard let base = node.base, let type = baseType(of: base, in: file) else { return nil }
    return member(node.declName.baseName.unescaped, of: type)
  }

  private func baseType(of base: ExprSyntax, in file: SourceFile) -> ScopedType? {
    if base.as(DeclReferenceExprSyntax.self)?.baseName.text == "self",
      case .own(let type) = selfType(at: base, in: file)
    {
      return scopedType(of: type)
    }
    return scopedType(of: base, in: file)
  }

  private func member(_ name: String, of base: ScopedType) -> ScopedType? {
    if name == "self" { return base }
    if ["first", "last"].contains(name), let element = base.name.element {
      return ScopedType(name: element, scope: base.scope)
    }
    if let own = self.type(named: base.name.name, from: base.scope) {
      if let property = property(name, of: own) { return type(of: property, in: own) }
      if base.name.isMetatype, own.cases.contains(name) { return instance(of: base) }
    } else if let known = knownMember(name, of: base) {
      return known
    }
    guard base.name.isMetatype, name.first?.isUppercase == true else { return nil }
    var nested = base
    nested.name = TypeName(base.name.name + "." + name, isMetatype: true)
    return nested
  }

  /// The type of a member of a framework's type.
  private func knownMember(_ name: String, of type: ScopedType) -> ScopedType? {
    if type.name.isMetatype, Frameworks.sharedObjects.contains(name) { return instance(of: type) }
    guard let known = Frameworks.members[type.name.base + "." + name] else { return nil }
    return ScopedType(name: TypeName(known), scope: type.scope)
  }

  func type(of property: Property, in type: TypeDeclaration) -> ScopedType? {
    let scope = Scope(file: property.file, type: type)
    if let annotation = property.binding.typeAnnotation?.type {
      return TypeName(annotation).map { ScopedType(name: $0, scope: scope) }
    }
    return property.binding.initializer.flatMap { scopedType(of: $0.value, in: property.file) }
  }

  func scope(at node: some SyntaxProtocol, in file: SourceFile) -> Scope {
    Scope(file: file, type: enclosingType(of: node, in: file))
  }
}

extension FunctionCallExprSyntax {
  /// Whether the arguments have the labels of a function, but for those with a default value and closures
  /// behind the call.
  func fits(_ function: FunctionDeclSyntax) -> Bool { fits(function.signature.parameterClause) }

  func fits(_ clause: FunctionParameterClauseSyntax) -> Bool {
    var labels = self.labels[...]
    for parameter in clause.parameters {
      if labels.first == parameter.firstName.unescaped {
        labels.removeFirst()
      } else if parameter.defaultValue == nil, trailingClosure == nil {
        return false
      }
    }
    return labels.isEmpty
  }
}

extension SyntaxProtocol {
  /// The type to which a generic parameter of a function or type around a node is constrained.
  func genericConstraint(of parameter: String) -> TypeName? {
    var current = parent
    while let node = current {
      if let type = node.ownConstraint(of: parameter) { return type }
      current = node.parent
    }
    return nil
  }

  /// The type to which a declaration constrains one of its generic parameters.
  func ownConstraint(of parameter: String) -> TypeName? {
    let clauses: (GenericParameterClauseSyntax?, GenericWhereClauseSyntax?) =
      switch Syntax(self).as(SyntaxEnum.self) {
      case .functionDecl(let node): (node.genericParameterClause, node.genericWhereClause)
      case .initializerDecl(let node): (node.genericParameterClause, node.genericWhereClause)
      case .subscriptDecl(let node): (node.genericParameterClause, node.genericWhereClause)
      case .classDecl(let node): (node.genericParameterClause, node.genericWhereClause)
      case .structDecl(let node): (node.genericParameterClause, node.genericWhereClause)
      case .extensionDecl(let node): (nil, node.genericWhereClause)
      default: (nil, nil)
      }
    let found = clauses.0?.parameters.first { $0.name.unescaped == parameter }
    return found?.inheritedType.flatMap { TypeName($0) } ?? clauses.1?.constraint(of: parameter)
  }
}

extension GenericWhereClauseSyntax {
  /// The type to which a clause constrains a generic parameter.
  func constraint(of parameter: String) -> TypeName? {
    for requirement in requirements {
      switch requirement.requirement {
      case .conformanceRequirement(let requirement)
      where requirement.leftType.trimmedDescription == parameter:
        return TypeName(requirement.rightType)
      case .sameTypeRequirement(let requirement)
      where requirement.leftType.trimmedDescription == parameter:
        return TypeSyntax(requirement.rightType).flatMap { TypeName($0) }
      default: continue
      }
    }
    return nil
  }
}

extension ExprSyntax {
  /// The expression behind `unsafe`, for which older versions of SwiftSyntax have no node.
  var insideUnsafe: ExprSyntax? {
    let children = children(viewMode: .sourceAccurate)
    guard children.count == 2, children.first?.trimmedDescription == "unsafe" else { return nil }
    return children.last?.as(ExprSyntax.self)
  }
}
