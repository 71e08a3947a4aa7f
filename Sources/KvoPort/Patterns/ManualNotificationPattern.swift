internal import SwiftSyntax

/// Counts manual notifications, and warns of those that reach no observer.
enum ManualNotificationPattern: Pattern {
  static func apply(to port: FilePort) {
    for call in port.nodes.calls {
      guard let notification = ManualNotification(call),
        call.base?.is(SuperExprSyntax.self) != true,
        call.isMethodCall, let name = call.calledNameToken
      else { continue }
      switch port.index.receiver(of: call, in: port.file) {
      case .own(let type):
        let edits = QueueNotification(call, notification.key, of: type, in: port).edits
        if edits.isEmpty {
          count(name, notification.key, of: type, in: port)
        } else {
          port.rewrite(.operation, at: name, edits)
        }
      case .framework(let type) where ["NSObject", "AnyObject"].contains(type.base):
        port.leave(.manualNotification, at: name)
      case .framework(let type) where Frameworks.observable.contains(type.base):
        port.leave(.manualNotification, at: name)
      case .framework(let type):
        port.warn(
          .frameworkObject, at: name, Messages.frameworkNotification(type.base), isOwn: false)
      case .unknown: port.leave(.manualNotification, at: name)
      }
    }
  }

  private static func count(
    _ name: TokenSyntax, _ key: String?, of type: TypeDeclaration, in port: FilePort
  ) {
    let index = port.index
    if index.isManagedByDatabase(type) || type.kind != .class || type.isLocal { return }
    let classes = [type] + index.superclasses(of: type)
    guard let key else { return port.leave(.manualNotification, at: name) }
    let property = index.property(key, of: type)
    let superclass = index.frameworkSuperclass(of: type)
    if property == nil, !classes.contains(where: { $0.inputs.contains(key) }) {
      if index.isOperation(type), OperationKey(rawValue: key) != nil {
        return port.leave(.manualNotification, at: name)
      }
      if superclass == nil || superclass?.base == "NSObject" || index.isOperation(type)
        || index.type(named: superclass?.name ?? "", from: Scope(file: type.file, type: nil)) != nil
      {
        return port.warn(.unknownKey, at: name, Messages.unknownKey(key, type.name))
      }
      return port.warn(
        .frameworkObject, at: name, Messages.inheritedKey(key, superclass?.base ?? ""), isOwn: false
      )
    }
    if let property, index.isIgnored(property) {
      return port.warn(.unknownKey, at: name, Messages.ignoredKey(key, type.name))
    }
    let isStored = property.map { property in
      property.isStoredVariable && !property.isDynamic
        && !property.declaration.modifiers.contains(.override)
    }
    // An override that names the key is taken for one that returns false for it.
    let override = type.functions[CocoaNames.automaticForKey]?.body
    let notifiesManually = override.map { Keys.named(in: Syntax($0)).contains(key) } ?? false
    let isWill = !notifiesManually && name.text.hasPrefix("will")
    let note =
      isStored == true && isWill && index.isToBeAnnotated(type)
      ? Messages.storedNotification(key) : nil
    port.leave(.manualNotification, at: name, note: note)
  }
}

/// Notifications of the state of an operation, where a key is notified on which it depends.
private struct QueueNotification {
  let edits: [Edit]

  init(
    _ call: FunctionCallExprSyntax, _ key: String?, of type: TypeDeclaration, in port: FilePort
  ) {
    guard let key, let states = port.index.queueState(of: type)?.dependents[key],
      call.labels == ["forKey"], let argument = call.arguments.first?.expression
    else {
      edits = []
      return
    }
    let head = port.file.text(call.start..<argument.start)
    let tail = port.file.text(argument.end..<call.end)
    let calls = states.map { "\(head)\"\($0)\"\(tail)" }
    let separator =
      port.file.beginsLine(at: call.start)
      ? port.file.lineEnding + port.file.indentation(at: call.start) : "; "
    let text = calls.joined(separator: separator)
    // Without a property of this name, and without other dependents, no observer requests the key itself.
    let isRequested =
      port.index.property(key, of: type) != nil || port.index.isDependency(key, of: type)
      || port.index.observedKeys.contains(key)
    edits =
      !isRequested
      ? [.replace(call.range, with: text)] : [.insert(separator + text, at: call.end)]
  }
}
