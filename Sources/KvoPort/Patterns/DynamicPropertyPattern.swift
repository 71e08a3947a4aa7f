internal import SwiftSyntax

/// Removes `@objc` and `dynamic` from the properties of observed classes.
enum DynamicPropertyPattern: Pattern {
  static func apply(to port: FilePort) {
    for variable in port.nodes.variables where variable.isOfObjectiveC {
      guard let container = variable.container else { continue }
      if let node = container.as(ExtensionDeclSyntax.self) {
        guard variable.modifiers.contains(.dynamic) else { continue }
        rewrite(variable, of: node, in: port)
      } else if let type = port.index.type(of: container), type.kind == .class, !type.isLocal,
        port.index.isToBeAnnotated(type) || type.isAnnotated
      {
        rewrite(variable, of: type, in: port)
      }
    }
    for node in port.nodes.types {
      node.as(EnumDeclSyntax.self).map { rewrite($0, in: port) }
    }
  }

  /// An enumeration is one of Objective-C for the sake of the properties of its type.
  private static func rewrite(_ node: EnumDeclSyntax, in port: FilePort) {
    let name = node.name.unescaped
    guard let attribute = node.attributes.first(named: "objc"),
      port.index.hasDynamicProperty(of: name), !port.index.isUsedByObjectiveC(name)
    else { return }
    port.rewrite(
      .dynamicProperty, at: attribute, port.removals(of: [attribute]), usesLibrary: false)
  }

  private static func rewrite(
    _ variable: VariableDeclSyntax, of type: TypeDeclaration, in port: FilePort
  ) {
    let words = words(of: variable, of: type, in: port)
    if words.isEmpty { return port.leave(.dynamicProperty, at: variable, usesLibrary: false) }
    let split = BindingSplit(variable, prefix: variable.prefix(without: words), in: port).edits
    let renaming =
      variable.attributes.first(named: "objc").flatMap(\.objectiveCName)
      ?? variable.bindings.first?.accessor(.get)?.attributes.first(named: "objc")
      .flatMap(\.objectiveCName)
    guard let renaming, let name = variable.bindings.first?.name, renaming != name else {
      return port.rewrite(.dynamicProperty, at: variable, port.removals(of: words) + split)
    }
    port.rewrite(
      .renamedKey, at: variable, port.removals(of: words) + split,
      warning: Messages.renamedKey(renaming, name))
  }

  /// A property of an extension has no key, but works with a typed key path.
  private static func rewrite(
    _ variable: VariableDeclSyntax, of node: ExtensionDeclSyntax, in port: FilePort
  ) {
    guard let name = TypeName(node.extendedType), let property = variable.bindings.first?.name
    else {
      return
    }
    let words = self.words(of: variable, of: nil, in: port)
    switch port.index.value(of: ScopedType(name: name, scope: Scope(file: port.file, type: nil))) {
    case .own(let type) where type.kind == .class && port.index.isManagedByDatabase(type): return
    case .own(let type):
      port.rewrite(
        .extensionProperty, at: variable, port.removals(of: words),
        note: Messages.ownExtensionProperty(property, type.name), usesLibrary: false)
    case .framework(let name) where name.base == "UserDefaults": return
    case .framework(let name):
      port.warn(
        .extensionProperty, at: variable, Messages.extensionProperty(property, name.base),
        isOwn: false)
    case .unknown: return
    }
  }

  /// The words of Objective-C that go.
  private static func words(
    of variable: VariableDeclSyntax, of type: TypeDeclaration?, in port: FilePort
  ) -> [any SyntaxProtocol] {
    let words = port.objectiveCWords(of: Syntax(variable))
    if port.options.platforms == .all, port.index.isUsedByObjectiveC(variable, of: type) {
      return words.filter { $0.is(DeclModifierSyntax.self) }
    }
    // The accessors of a property that Objective-C does not know have no names there.
    let names = variable.bindings.flatMap(\.accessors).compactMap {
      $0.attributes.first(named: "objc")
    }
    return words + names
  }
}

extension VariableDeclSyntax {
  /// Whether it is `dynamic`, or a property that Objective-C knows for the sake of its key.
  fileprivate var isOfObjectiveC: Bool {
    modifiers.contains(.dynamic) || attributes.contains(named: "objc") && !isOfType
  }
}
