internal import SwiftSyntax

/// Puts the setters of dynamic computed properties into `withMutation(of:)`, which notifies of each
/// assignment as Cocoa does.
enum ComputedSetterPattern: Pattern {
  static func apply(to port: FilePort) {
    for variable in port.nodes.variables
    where variable.modifiers.contains(.dynamic) && !variable.isOfType {
      guard let container = variable.container, let type = port.index.type(of: container),
        port.index.isToBeAnnotated(type) || type.isAnnotated
      else { continue }
      for binding in variable.bindings {
        guard let name = binding.name, let setter = binding.accessor(.set), let body = setter.body,
          !body.statements.isEmpty, !notifies(setter, of: name, in: type)
        else { continue }
        var states = port.index.queueState(of: type)?.dependents[name] ?? []
        let isNotified = assignsSuper(body, name) && port.index.superclassNotifies(name, type)
        if isNotified, let superclass = port.index.superclass(of: type) {
          let notified = port.index.queueState(of: superclass)?.dependents[name] ?? []
          states.removeAll(where: notified.contains)
        }
        if isNotified, states.isEmpty { continue }
        // A private key without observers only feeds the state, so only the state is notified.
        let isInputOnly =
          !states.isEmpty && type.properties[name]?.isPrivate == true
          && !port.index.observedKeys.contains(name) && !body.returnsEarly
        let wrapped = WrappedBody(
          body, of: Syntax(setter),
          head: isInputOnly || isNotified ? nil : "withMutation(of: \\.\(quoted(name))) {",
          before: states.map { "willChangeValue(forKey: \"\($0)\")" },
          after: states.map { "didChangeValue(forKey: \"\($0)\")" }, in: port.file)
        port.rewrite(.computedSetter, at: setter, wrapped.edits)
      }
    }
  }

  /// Whether a setter notifies itself, or the class declares that it does not notify.
  private static func notifies(
    _ setter: AccessorDeclSyntax, of name: String, in type: TypeDeclaration
  ) -> Bool {
    let finder = NotificationFinder(name)
    finder.walk(setter)
    if finder.isFound { return true }
    let override = CocoaNames.automatic(name)
    if type.functions[override + "()"] != nil || type.properties[override] != nil { return true }
    let general = type.functions[CocoaNames.automaticForKey]?.body
    return general.map { Keys.named(in: Syntax($0)).contains(name) } ?? false
  }

  /// Whether a setter always assigns the property of the superclass, which notifies of it.
  private static func assignsSuper(_ body: CodeBlockSyntax, _ name: String) -> Bool {
    body.statements.contains { item in
      let elements = Array(item.item.as(SequenceExprSyntax.self)?.elements ?? [])
      return elements.count > 2 && elements[1].is(AssignmentExprSyntax.self)
        && elements[0].trimmedDescription == "super.\(name)"
    }
  }

  private static func quoted(_ name: String) -> String {
    ["Type", "Protocol", "self"].contains(name) ? "`\(name)`" : name
  }
}

/// Finds the manual notifications for a key, and those for a key that is not spelled.
private final class NotificationFinder: SyntaxVisitor {
  var isFound = false
  private let name: String

  init(_ name: String) {
    self.name = name
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if let notification = ManualNotification(node) {
      isFound = isFound || notification.key == nil || notification.key == name
    } else if node.calledName == "withMutation" {
      let key = node.argument("of").flatMap { Keys.key(of: $0) }
      isFound = isFound || key == nil || key == name
    }
    return isFound ? .skipChildren : .visitChildren
  }
}

extension CodeBlockSyntax {
  /// Whether a statement may leave the block before its end.
  fileprivate var returnsEarly: Bool {
    tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.return) }
  }
}
