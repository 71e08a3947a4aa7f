internal import SwiftSyntax

/// A call that registers or removes an observer.
struct Observation {
  enum Kind { case typed, classic, removal, publisher }

  let kind: Kind
  /// The first argument that says what is observed.
  let keyPath: ExprSyntax

  init?(_ call: FunctionCallExprSyntax) {
    guard let name = call.calledName, call.isMethodCall else { return nil }
    let labels = call.labels
    switch name {
    case "observe":
      guard let first = call.arguments.first, first.label == nil,
        Self.isTyped(call, first.expression)
      else { return nil }
      (kind, keyPath) = (.typed, first.expression)
    case "addObserver":
      guard labels.prefix(2) == ["_", "forKeyPath"], let path = call.argument("forKeyPath") else {
        return nil
      }
      (kind, keyPath) = (.classic, path)
    case "removeObserver":
      guard labels.prefix(2) == ["_", "forKeyPath"], let path = call.argument("forKeyPath") else {
        return nil
      }
      (kind, keyPath) = (.removal, path)
    case "publisher":
      guard let first = call.arguments.first, first.label?.text == "for",
        first.expression.is(KeyPathExprSyntax.self)
      else { return nil }
      (kind, keyPath) = (.publisher, first.expression)
    default: return nil
    }
  }

  /// Whether a call of `observe` is that of key-value observing.
  ///
  /// Others of this name take a value or a closure, and no key path with a handler of two parameters.
  private static func isTyped(_ call: FunctionCallExprSyntax, _ first: ExprSyntax) -> Bool {
    let labels = Set(call.labels.dropFirst())
    guard labels.isSubset(of: ["options", "changeHandler"]),
      call.trailingClosure != nil || labels.contains("changeHandler")
    else { return false }
    return first.is(KeyPathExprSyntax.self) || labels.contains("options")
      || labels.contains("changeHandler")
  }

  /// The keys of the path, if they are spelled.
  var keys: [String] { Keys.keys(of: keyPath) }

  /// The type that a typed key path begins with.
  var root: TypeName? {
    keyPath.as(KeyPathExprSyntax.self)?.root.flatMap { TypeName($0) }
  }
}
