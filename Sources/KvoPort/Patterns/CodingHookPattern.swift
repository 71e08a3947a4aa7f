internal import SwiftSyntax

/// Makes overrides for undefined keys and for nil implementations of the library's requirements.
enum CodingHookPattern: Pattern {
  /// The functions with their results.
  private static let results = [
    "value(forUndefinedKey:)": "Any?", "setValue(_:forUndefinedKey:)": nil,
    "setNilValueForKey(_:)": nil,
  ]

  static func apply(to port: FilePort) {
    for function in port.nodes.functions where function.modifiers.contains(.override) {
      let name = function.fullName
      guard let result = results[name],
        let type = port.index.enclosingType(of: function, in: port.file), type.kind == .class,
        !port.index.isManagedByDatabase(type), !port.index.superclassDeclares(name, of: type)
      else { continue }
      if !port.index.isObservable(type) {
        port.warn(
          .codingHook, at: function.name, Messages.hookWithoutKeys(name, type.name), isOwn: false)
      } else if let root = port.index.superclasses(of: type).last(where: port.index.isObservable) {
        port.warn(.codingHook, at: function.name, Messages.hookOfSubclass(name, root.name))
      } else if function.signature.returnClause?.type.trimmedDescription != result
        || callsSuper(function)
      {
        port.warn(.codingHook, at: function.name, Messages.hookWithSuper(name))
      } else {
        var words = port.objectiveCWords(of: Syntax(function))
        words += function.modifiers.filter { $0.name.tokenKind == .keyword(.override) }
        port.rewrite(.codingHook, at: function.name, port.removals(of: words))
      }
    }
  }

  /// Whether it passes keys on that it does not know, which is an error here.
  private static func callsSuper(_ function: FunctionDeclSyntax) -> Bool {
    function.body?.tokens(viewMode: .sourceAccurate)
      .contains { $0.tokenKind == .keyword(.super) } == true
  }
}
