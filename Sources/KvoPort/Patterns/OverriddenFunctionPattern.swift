internal import SwiftSyntax

/// Warns of overrides that the library does not call, and of extensions that hide its functions.
enum OverriddenFunctionPattern: Pattern {
  /// The functions of Cocoa that the library declares as well.
  private static let declared: Set<String> = [
    "willChangeValue(forKey:)", "didChangeValue(forKey:)", "value(forKey:)", "value(forKeyPath:)",
    "setValue(_:forKey:)", "setValue(_:forKeyPath:)", "addObserver(_:forKeyPath:options:context:)",
    "removeObserver(_:forKeyPath:)", "removeObserver(_:forKeyPath:context:)",
  ]
  private static let functions = declared.union([
    "mutableArrayValue(forKey:)", "validateValue(_:forKey:)",
  ])
  private static let hiding = declared.union(["observe(_:options:changeHandler:)"])
  private static let variables: Set<String> = [
    "accessInstanceVariablesDirectly", "observationInfo",
  ]

  static func apply(to port: FilePort) {
    for function in port.nodes.functions {
      let name = function.fullName
      if function.modifiers.contains(.override), functions.contains(name),
        let type = port.index.enclosingType(of: function, in: port.file),
        !port.index.isManagedByDatabase(type), !port.index.superclassDeclares(name, of: type)
      {
        let isOwn = port.index.isObservable(type)
        let message =
          name.hasPrefix("validate")
          ? Messages.validator(name) : Messages.overriddenFunction(name)
        port.warn(.overriddenFunction, at: function.name, message, isOwn: isOwn)
      }
      guard hiding.contains(name), !function.attributes.contains(named: "_disfavoredOverload"),
        let node = function.container?.as(ExtensionDeclSyntax.self),
        node.extendedType.trimmedDescription == "NSObject"
      else { continue }
      port.warn(.objectExtension, at: function.name, Messages.objectExtension(name))
    }
    for variable in port.nodes.variables where variable.modifiers.contains(.override) {
      guard let name = variable.bindings.first?.name, variables.contains(name) else { continue }
      port.warn(
        .overriddenFunction, at: variable, Messages.overriddenFunction(name), isOwn: false)
    }
  }
}
