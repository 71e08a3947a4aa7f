internal import SwiftSyntax

/// Warns of objects that cannot be observed, and are passed to functions that take any observable object
/// after the run.
enum WrapperCallWarnings: Pattern {
  static func apply(to port: FilePort) {
    let names = port.index.objectWrappers.names
    for call in port.nodes.calls {
      guard let name = call.calledName, names.contains(name) || name == "init",
        let callee = port.index.callee(of: call, in: port.file),
        port.index.objectWrappers.contain(callee.declaration),
        !port.index.hasFixedTypes(callee.declaration, in: callee.file)
      else { continue }
      for (parameter, value) in call.arguments(for: callee.parameters)
      where parameter.takesAnyObject {
        let roles = port.index.objectWrappers.roles(of: parameter)
        if roles != [.observer] { check(value, name, in: port) }
      }
    }
  }

  private static func check(_ value: ExprSyntax, _ function: String, in port: FilePort) {
    switch port.index.type(of: value, in: port.file) {
    case .own(let type) where type.kind == .class && !port.index.isObservable(type):
      port.warn(.anyObject, at: value, Messages.passedObject(type.name, function))
    case .framework(let type) where type.base == "NSObject":
      guard !port.wrappers.contain(value), !port.index.isOfWrapperParameter(value, in: port.file)
      else { return }
      port.warn(.anyObject, at: value, Messages.passedObject(type.base, function))
    case .framework(let type)
    where Frameworks.isClass(type.base) || Frameworks.replaced[type.base] != nil:
      let isReplaced =
        type.base == "UserDefaults"
        && port.index.foundationUse.replacesUserDefaults(in: port.file)
      guard !isReplaced else { return }
      port.warn(.frameworkObject, at: value, Messages.frameworkObject(type.base), isOwn: false)
    default: return
    }
  }
}
