internal import SwiftSyntax

/// Marks the stored variables of observed classes that did not notify.
enum StoredPropertyPattern: Pattern {
  static func apply(to port: FilePort) {
    for node in port.nodes.types {
      guard let type = port.index.type(of: node), port.index.isToBeAnnotated(type) else { continue }
      for member in type.members {
        guard let variable = member.as(VariableDeclSyntax.self), !port.file.skips.contains(variable)
        else { continue }
        mark(variable, of: type, in: port)
      }
    }
  }

  private static func mark(
    _ variable: VariableDeclSyntax, of type: TypeDeclaration, in port: FilePort
  ) {
    guard variable.isStoredVariable, !variable.modifiers.contains(.override),
      !variable.attributes.contains(named: "KeyValueIgnored")
    else { return }
    let names = variable.bindings.compactMap(\.name)
    guard names.count == variable.bindings.count else {
      return port.warn(.wrappedProperty, at: variable, Messages.tuplePattern(type.name))
    }
    guard isToBeMarked(variable, names, of: type, in: port) else {
      if variable.bindings.count > 1, !port.hasEdit(in: variable.range) {
        let prefix = variable.prefix()
        port.rewrite(
          .storedProperty, at: variable, BindingSplit(variable, prefix: prefix, in: port).edits)
      }
      return
    }
    let mark = "@KeyValueIgnored "
    let split = BindingSplit(variable, prefix: mark + variable.prefix(), in: port)
    port.rewrite(.storedProperty, at: variable, [.insert(mark, at: variable.start)] + split.edits)
  }

  private static func isToBeMarked(
    _ variable: VariableDeclSyntax, _ names: [String], of type: TypeDeclaration, in port: FilePort
  ) -> Bool {
    if Obstacle(variable, in: type) != nil { return true }
    if variable.modifiers.contains(.dynamic) || port.options.observesAll { return false }
    if !type.notifiedKeys.isDisjoint(with: names) { return false }
    let isOutlet = ["IBOutlet", "IBInspectable"].contains {
      variable.attributes.contains(named: $0)
    }
    if isOutlet { return true }
    if variable.attributes.contains(named: "objc") { return false }
    let isPrivate =
      variable.modifiers.contains(.private) || variable.modifiers.contains(.fileprivate)
    let hasAllMembers = type.attributes.contains(named: "objcMembers")
    return !hasAllMembers || isPrivate || variable.attributes.contains(named: "nonobjc")
  }
}

extension VariableDeclSyntax {
  /// Whether it is a variable of the objects that stores its value.
  var isStoredVariable: Bool {
    bindingSpecifier.tokenKind == .keyword(.var) && !isOfType
      && !bindings.contains(where: \.isComputed)
  }

  /// The attributes and modifiers that stay, with a space behind each.
  func prefix(without removed: [any SyntaxProtocol] = []) -> String {
    let removed = Set(removed.map { $0.id })
    let attributes = attributes.filter { !removed.contains($0.id) }.map(\.trimmedDescription)
    let modifiers = modifiers.filter { !removed.contains($0.id) }.map(\.trimmedDescription)
    return (attributes + modifiers).map { $0 + " " }.joined()
  }
}
