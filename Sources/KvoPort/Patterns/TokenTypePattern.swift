internal import SwiftSyntax

/// Gives variables that store tokens the type of the tokens, and functions that return or collect them.
enum TokenTypePattern: Pattern {
  private static let names: Set<String> = ["NSObjectProtocol", "NSObject", "AnyObject", "Any"]

  static func apply(to port: FilePort) {
    for variable in port.nodes.variables {
      for binding in variable.bindings {
        guard let type = binding.typeAnnotation?.type else { continue }
        rewrite(type, of: binding.id, named: binding.name ?? "", in: port)
      }
    }
    for function in port.nodes.functions {
      for parameter in function.signature.parameterClause.parameters {
        let name = (parameter.secondName ?? parameter.firstName).text
        rewrite(parameter.type, of: parameter.id, named: name, in: port)
      }
      guard let type = function.signature.returnClause?.type else { continue }
      guard isFixed(function, in: port) else {
        rewrite(type, of: function.id, named: function.name.text, in: port)
        continue
      }
      if port.index.tokenTargets.observations.contains(function.id), objectType(in: type) != nil {
        port.warn(.tokenType, at: type, Messages.fixedToken(function.name.text))
      }
    }
  }

  private static func rewrite(
    _ type: TypeSyntax, of target: SyntaxIdentifier, named name: String, in port: FilePort
  ) {
    let targets = port.index.tokenTargets
    guard targets.observations.contains(target), let range = objectType(in: type) else { return }
    // Anything may be stored in `[Any]`, also a token.
    let isMixed = targets.mixed.contains(target)
    if isMixed, port.file.text(range).hasPrefix("Any") { return }
    if isMixed || targets.notifications.contains(target) {
      port.warn(.tokenType, at: type, Messages.mixedTokens(name))
    } else {
      port.rewrite(.tokenType, at: type, [.replace(range, with: "NSKeyValueObservation")])
    }
  }

  /// Whether a superclass or a protocol declares a function too.
  private static func isFixed(_ function: FunctionDeclSyntax, in port: FilePort) -> Bool {
    if function.modifiers.contains(.override) { return true }
    let type = port.index.enclosingType(of: function, in: port.file)
    return port.index.protocols(of: type).contains { $0.functions[function.fullName] != nil }
  }

  /// The range of the type that any object has, with the `any` in front.
  private static func objectType(in type: TypeSyntax) -> Range<Int>? {
    let finder = ObjectTypeFinder(names)
    finder.walk(type)
    return finder.range
  }
}

private final class ObjectTypeFinder: SyntaxVisitor {
  var range: Range<Int>?
  private let names: Set<String>

  init(_ names: Set<String>) {
    self.names = names
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    guard names.contains(node.name.text) else { return .visitChildren }
    range = (node.parent?.as(SomeOrAnyTypeSyntax.self)).map(\.range) ?? node.range
    return .skipChildren
  }
}
