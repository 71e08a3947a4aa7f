internal import SwiftSyntax

/// Adapts `keyPathsForValuesAffecting…` and `automaticallyNotifiesObservers…`.
enum AffectingKeysPattern: Pattern {
  static func apply(to port: FilePort) {
    for function in port.nodes.functions
    where isClassLevelOverride(function.name.unescaped, function.modifiers) {
      rewrite(
        Syntax(function), function.name, function.modifiers, function.attributes, in: port,
        isForAllKeys: !function.signature.parameterClause.parameters.isEmpty)
    }
    for variable in port.nodes.variables {
      guard
        let name = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier,
        isClassLevelOverride(name.unescaped, variable.modifiers)
      else { continue }
      rewrite(
        Syntax(variable), name, variable.modifiers, variable.attributes, in: port,
        isForAllKeys: false)
    }
  }

  private static func isClassLevelOverride(
    _ name: String, _ modifiers: DeclModifierListSyntax
  ) -> Bool {
    CocoaNames.isClassLevel(name) && (modifiers.contains(.class) || modifiers.contains(.static))
  }

  private static func rewrite(
    _ node: Syntax, _ name: TokenSyntax, _ modifiers: DeclModifierListSyntax,
    _ attributes: AttributeListSyntax, in port: FilePort, isForAllKeys: Bool
  ) {
    guard let container = node.container,
      let type = port.index.enclosingType(of: node, in: port.file), type.kind == .class,
      !port.index.isManagedByDatabase(type), !type.isLocal
    else { return }
    let isInherited = port.index.hasObservableSuperclass(type)
    // Swift overrides in the body of a class only.
    if container.is(ExtensionDeclSyntax.self), !isForAllKeys || isInherited {
      return port.warn(.affectingKeys, at: name, Messages.overrideInExtension(name.text, type.name))
    }
    if port.index.queueState(of: type)?.removed.contains(node.id) == true {
      // The notifications of the keys notify of the state as well, so it does not depend on them.
      return port.rewrite(.operation, at: name, [.remove(port.linesOf(node))])
    }
    var words = port.objectiveCWords(of: node)
    let overridesOwn =
      isForAllKeys ? isInherited : port.index.superclassDeclares(node, name.unescaped, of: type)
    if !overridesOwn { words += modifiers.filter { $0.name.tokenKind == .keyword(.override) } }
    let finder = OverrideFinder(viewMode: .sourceAccurate)
    finder.walk(node)
    var edits = port.removals(of: words)
    edits += finder.objectTypes.map { .replace($0.name.range, with: "String") }
    edits += finder.casts.map { .remove($0) }
    if !isInherited {
      edits += finder.superCalls.map { call in
        .replace(call.range, with: defaultResult(of: call, in: type))
      }
    }
    if edits.isEmpty {
      port.leave(.affectingKeys, at: name)
    } else {
      port.rewrite(.affectingKeys, at: name, edits)
    }
  }

  /// The result of Cocoa's `super`, which calls the functions for single keys.
  ///
  /// The library adds the dependencies that these return.
  private static func defaultResult(
    of call: FunctionCallExprSyntax, in type: TypeDeclaration
  ) -> String {
    guard call.calledName?.hasPrefix("automatically") == true else { return "Set<String>()" }
    let key = call.arguments.first?.expression.trimmedDescription ?? "key"
    let overrides = type.functions.keys.sorted()
      .filter { $0.hasPrefix(CocoaNames.automaticPrefix) && $0.hasSuffix("()") }
    guard call.labels == ["forKey"], !overrides.isEmpty else { return "true" }
    let conditions = overrides.map { override in
      let name = override.dropFirst(CocoaNames.automaticPrefix.count).dropLast(2)
      return "\(key) == \"\(name.prefix(1).lowercased() + name.dropFirst())\" ? \(override) : "
    }
    return "(\(conditions.joined())true)"
  }
}

/// Finds the parts of a class-level override that are to be adapted.
private final class OverrideFinder: SyntaxVisitor {
  var objectTypes: [IdentifierTypeSyntax] = []
  var casts: [Range<Int>] = []
  var superCalls: [FunctionCallExprSyntax] = []

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    if node.name.text == "Set", let argument = node.genericArgumentClause?.arguments.first?.argument
    {
      let element = argument.as(IdentifierTypeSyntax.self)
      if let element, ["NSObject", "AnyHashable", "NSString"].contains(element.name.text) {
        objectTypes.append(element)
      }
    }
    return .visitChildren
  }

  override func visit(_ node: GenericSpecializationExprSyntax) -> SyntaxVisitorContinueKind {
    guard node.expression.trimmedDescription == "Set",
      let element = node.genericArgumentClause.arguments.first?.argument
        .as(IdentifierTypeSyntax.self), ["NSObject", "AnyHashable"].contains(element.name.text)
    else { return .visitChildren }
    objectTypes.append(element)
    return .visitChildren
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    let elements = Array(node.elements)
    for (index, element) in elements.enumerated().dropFirst()
    where element.is(UnresolvedAsExprSyntax.self) && index + 1 < elements.count {
      let type = elements[index + 1].trimmedDescription
      if ["NSObject", "NSString", "AnyObject"].contains(type) {
        casts.append(elements[index - 1].end..<elements[index + 1].end)
      }
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.calledName ?? ""
    if node.base?.is(SuperExprSyntax.self) == true,
      CocoaNames.isClassLevel(name)
    {
      superCalls.append(node)
    }
    return .visitChildren
  }
}
