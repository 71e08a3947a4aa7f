internal import SwiftSyntax

/// Lets classes with `observeValue` conform to `NSKeyValueObserving`, which declares it.
enum ObserverClassPattern: Pattern {
  static func apply(to port: FilePort) {
    // Two branches of an `#if` may declare the function.
    var conforming: Set<SyntaxIdentifier> = []
    for function in port.nodes.functions where function.fullName == CocoaNames.observeValue {
      guard let container = function.container else { continue }
      guard let type = port.index.enclosingType(of: function, in: port.file) else {
        if let node = container.as(ExtensionDeclSyntax.self), function.modifiers.contains(.override)
        {
          let name = node.extendedType.trimmedDescription
          port.warn(
            .observerClass, at: function.name, Messages.observerExtension(name), isOwn: false)
        }
        continue
      }
      guard type.kind == .class, !port.index.isManagedByDatabase(type) else { continue }
      if port.index.hasObserverSuperclass(type) {
        port.leave(.observeValue, at: function.name)
      } else {
        rewrite(function, in: port)
        guard conforming.insert(container.id).inserted else { continue }
        addConformance(for: function, to: type, in: container, port)
      }
    }
  }

  private static func rewrite(_ function: FunctionDeclSyntax, in port: FilePort) {
    var words = port.objectiveCWords(of: Syntax(function))
    words += function.modifiers.filter { $0.name.tokenKind == .keyword(.override) }
    if words.isEmpty {
      port.leave(.observeValue, at: function.name)
    } else {
      port.rewrite(.observeValue, at: function.name, port.removals(of: words))
    }
  }

  private static func addConformance(
    for function: FunctionDeclSyntax, to type: TypeDeclaration, in container: Syntax,
    _ port: FilePort
  ) {
    let conformances = (type.inherited + type.addedConformances).map(\.base)
    if conformances.contains("NSKeyValueObserving") {
      port.leave(.observerClass, at: container)
    } else if let group = container.asProtocol((any DeclGroupSyntax).self) {
      let isIsolated =
        port.index.isOnMainActor(type)
        && !function.modifiers.contains(where: {
          $0.name.tokenKind == .keyword(.nonisolated)
        })
      let name = (isIsolated ? "@MainActor " : "") + "NSKeyValueObserving"
      port.rewrite(.observerClass, at: container, [conformance(name, of: group, in: port)])
    }
  }

  private static func conformance(
    _ name: String, of group: any DeclGroupSyntax, in port: FilePort
  ) -> Edit {
    if let last = group.inheritanceClause?.inheritedTypes.last {
      return .insert(", " + name, at: last.end)
    }
    let generics = group.as(ClassDeclSyntax.self)?.genericParameterClause?.end
    let nameEnd =
      group.as(ClassDeclSyntax.self)?.name.end
      ?? group.as(ExtensionDeclSyntax.self)?.extendedType.end
    return .insert(": " + name, at: generics ?? nameEnd ?? group.memberBlock.start)
  }
}
