internal import SwiftSyntax

/// A call of `willChangeValue(for:)`, `didChangeValue(forKey:)`, and the like.
struct ManualNotification {
  let key: String?

  private static let names: Set<String> = [
    "willChangeValue", "didChangeValue", "willChange", "didChange",
  ]

  init?(_ call: FunctionCallExprSyntax) {
    guard let name = call.calledName, Self.names.contains(name) else { return nil }
    let labels = call.arguments.map { $0.label?.text ?? "_" }
    switch labels {
    case ["forKey"], ["for"]: key = call.arguments.first.flatMap { Keys.key(of: $0.expression) }
    case ["_", "valuesAt", "forKey"], ["_", "valuesAt", "for"],
      ["forKey", "withSetMutation", "using"], ["for", "withSetMutation", "using"]:
      key = call.arguments.first { ($0.label?.text ?? "").hasPrefix("for") }
        .flatMap { Keys.key(of: $0.expression) }
    default: return nil
    }
  }
}
