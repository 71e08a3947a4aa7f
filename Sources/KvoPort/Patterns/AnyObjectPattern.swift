internal import SwiftSyntax

/// Replaces `NSObject` in types that observe any object.
enum AnyObjectPattern: Pattern {
  static func apply(to port: FilePort) {
    let wrappers = port.wrappers
    for node in port.nodes.typeNames where node.name.text == "NSObject" {
      guard node.genericArgumentClause == nil, !port.isRemoved(node.range),
        wrappers.contain(node) || isInOverride(node, in: port)
      else { continue }
      replace(node, in: port)
    }
    for sequence in port.nodes.sequences where wrappers.contain(sequence) {
      for comparison in ObjectComparison.all(in: sequence, port) where comparison.isRewritten {
        port.rewrite(.anyObject, at: comparison.symbol, [comparison.edit])
      }
    }
    for wrapper in wrappers.nodes { warn(of: wrapper, in: port) }
    for node in wrappers.hashed { port.warn(.anyObject, at: node, Messages.hashedObject) }
  }

  /// Whether a type is that of a parameter of a function which overrides that of a wrapper.
  private static func isInOverride(_ node: IdentifierTypeSyntax, in port: FilePort) -> Bool {
    guard let declaration = node.declaration,
      declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers.contains(.override) == true
    else { return false }
    return !port.index.hasFixedTypes(declaration, in: port.file)
  }

  private static func replace(_ node: IdentifierTypeSyntax, in port: FilePort) {
    var type = Syntax(node)
    var isOptional = false
    var isNested = false
    while let parent = type.parent {
      switch parent.kind {
      case .optionalType, .implicitlyUnwrappedOptionalType:
        if !isNested { isOptional = true }
      case .attributedType: break
      case .arrayType, .dictionaryType, .tupleType, .tupleTypeElement, .tupleTypeElementList,
        .functionType:
        isNested = true
      case .someOrAnyType:
        return port.rewrite(
          .anyObject, at: node, [.replace(node.range, with: "KeyValueObservable")])
      case .genericParameter, .conformanceRequirement:
        return port.rewrite(
          .anyObject, at: node, [.replace(node.range, with: "KeyValueObservable")])
      case .functionParameter:
        guard let parameter = parent.as(FunctionParameterSyntax.self),
          !isFixed(node, of: parameter, in: port)
        else { return }
        // An optional of an existential cannot be passed to an opaque parameter.
        let keyword = isNested || isOptional ? "any" : "some"
        let name = protocolName(of: parameter, in: port)
        return replaceParameter(node, with: "\(keyword) \(name)", isOptional, in: port)
      case .typeExpr:
        guard parent.isCastTarget(in: port) else { return }
        return replace(node, with: "any KeyValueObservable", isOptional, in: port)
      case .closureParameter:
        return replace(node, with: "any KeyValueObservable", isOptional, in: port)
      case .typeAnnotation, .returnClause:
        let variable = parent.parent?.as(PatternBindingSyntax.self)
        guard !isFixed(node, of: variable, in: port) else { return }
        let name = variable.map { protocolName(of: $0, in: port) } ?? "KeyValueObservable"
        return replace(node, with: "any \(name)", isOptional, in: port)
      default: return
      }
      type = parent
    }
  }

  /// The protocol of the objects of a variable or a parameter, which may be observers.
  private static func protocolName(of declaration: some SyntaxProtocol, in port: FilePort) -> String
  {
    switch port.index.objectWrappers.roles(of: declaration) {
    case [.observer]: "NSKeyValueObserving"
    case [.observer, .observed]: "KeyValueObservable & NSKeyValueObserving"
    default: "KeyValueObservable"
    }
  }

  /// Whether the declaration around a type keeps it, and a warning of that if the object is observed.
  private static func isFixed(
    _ node: IdentifierTypeSyntax, of declaration: (some SyntaxProtocol)?, in port: FilePort
  ) -> Bool {
    guard let around = node.declaration, port.index.hasFixedTypes(around, in: port.file) else {
      return false
    }
    if let declaration, port.index.objectWrappers.roles(of: declaration).contains(.observed) {
      port.warn(.anyObject, at: node, Messages.fixedObject)
    }
    return true
  }

  private static func replaceParameter(
    _ node: IdentifierTypeSyntax, with type: String, _ isOptional: Bool, in port: FilePort
  ) {
    let attributes =
      node.declaration?.asProtocol((any WithAttributesSyntax).self)?.attributes
    let words = attributes?.first(named: "objc").map { port.removals(of: [$0]) } ?? []
    replace(node, with: type, isOptional, words, in: port)
  }

  private static func replace(
    _ node: IdentifierTypeSyntax, with type: String, _ isOptional: Bool, _ edits: [Edit] = [],
    in port: FilePort
  ) {
    let spelled = isOptional ? "(\(type))" : type
    port.rewrite(.anyObject, at: node, [.replace(node.range, with: spelled)] + edits)
  }

  /// An extension of `NSObject` itself is not one of the objects that can be observed.
  private static func warn(of wrapper: Syntax, in port: FilePort) {
    guard let node = wrapper.as(ExtensionDeclSyntax.self), node.genericWhereClause == nil,
      ["NSObject", "NSObjectProtocol"].contains(node.extendedType.trimmedDescription)
    else { return }
    port.warn(.anyObject, at: node.extendedType, Messages.observingExtension)
  }
}

extension Syntax {
  /// Whether an expression is the type of `as?` or `as!` whose value is not compared, or compared with an
  /// object whose type changes.
  fileprivate func isCastTarget(in port: FilePort) -> Bool {
    guard let list = parent?.as(ExprListSyntax.self) else { return false }
    var sequence = list.parent?.as(SequenceExprSyntax.self)
    let elements = Array(list)
    let isCast =
      elements.last?.id == id && elements.count > 1
      && elements[elements.count - 2].is(UnresolvedAsExprSyntax.self)
    // The cast may be in parentheses.
    if isCast, let tuple = sequence?.parent?.parent?.parent?.as(TupleExprSyntax.self),
      let outer = tuple.parent?.parent?.as(SequenceExprSyntax.self)
    {
      sequence = outer
    }
    let comparison = sequence.flatMap { sequence in
      ObjectComparison.all(in: sequence, port).first { $0.casts.contains(id) }
    }
    return comparison?.isRewritten ?? isCast
  }
}
