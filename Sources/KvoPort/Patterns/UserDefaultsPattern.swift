internal import SwiftSyntax

/// Makes observed user defaults those of the library.
enum UserDefaultsPattern: Pattern {
  /// The members of `ObservableUserDefaults`.
  private static let members: Set<String> = [
    "addObserver", "array", "bool", "changes", "data", "defaults", "dictionary",
    "dictionaryRepresentation", "didChangeValue", "double", "float", "integer", "keyValueRegistrar",
    "object", "observe", "onChange", "publisher", "register", "removeObject", "removeObserver",
    "set",
    "setValue", "string", "stringArray", "synchronize", "url", "value", "values", "willChangeValue",
    "withMutation", "mutableArrayValue",
  ]

  /// The members of Foundation's class itself.
  private static let typeMembers: Set<String> = [
    "argumentDomain", "completedInitialCloudSyncNotification", "didChangeCloudAccountsNotification",
    "didChangeNotification", "globalDomain", "noCloudAccountNotification", "registrationDomain",
    "resetStandardUserDefaults", "sizeLimitExceededNotification",
  ]

  /// The members of objects that only Foundation's class has.
  private static let domainMembers: Set<String> = [
    "addSuite", "objectIsForced", "persistentDomain", "removePersistentDomain", "removeSuite",
    "removeVolatileDomain", "setPersistentDomain", "setVolatileDomain", "volatileDomain",
    "volatileDomainNames",
  ]

  static func apply(to port: FilePort) {
    guard port.index.foundationUse.replacesUserDefaults(in: port.file) else { return }
    for node in port.nodes.extensions where TypeName(node.extendedType)?.base == "UserDefaults" {
      for member in node.memberBlock.members.flattened {
        guard let variable = member.as(VariableDeclSyntax.self), !port.file.skips.contains(variable)
        else { continue }
        rewrite(variable, in: port)
      }
    }
    for node in port.nodes.memberAccesses {
      reachDefaults(node, in: port)
      reachFoundation(node, in: port)
    }
    for call in port.nodes.calls {
      reachDefaults(call, in: port)
      reachPoster(call, in: port)
    }
    for node in port.nodes.types { warnOfSubclass(node, in: port) }
  }

  private static func rewrite(_ variable: VariableDeclSyntax, in port: FilePort) {
    guard variable.modifiers.contains(.dynamic), let binding = variable.bindings.first else {
      return
    }
    let words = port.objectiveCWords(of: Syntax(variable))
    let readsKey = binding.accessorBlock?.tokens(viewMode: .sourceAccurate).contains {
      [.leftParen, .leftSquare].contains($0.tokenKind)
    }
    port.rewrite(
      .userDefaults, at: variable, port.removals(of: words),
      note: readsKey == false ? Messages.constantDefault(binding.name ?? "") : nil)
  }

  /// Calls of functions that only Foundation's class has go to the one inside.
  private static func reachDefaults(_ node: MemberAccessExprSyntax, in port: FilePort) {
    let name = node.declName.baseName.unescaped
    guard let base = node.base, !port.index.defaultsMembers.contains(name) else { return }
    let isMissing =
      domainMembers.contains(name)
      ? isReplaced(base, in: port)
      : base.trimmedDescription == "UserDefaults.standard" && !members.contains(name)
    guard isMissing else { return }
    port.rewrite(.userDefaults, at: base, [.insert(".defaults", at: base.end)])
  }

  /// Calls of these functions in an extension of user defaults.
  private static func reachDefaults(_ call: FunctionCallExprSyntax, in port: FilePort) {
    guard let name = call.calledExpression.as(DeclReferenceExprSyntax.self),
      domainMembers.contains(name.baseName.unescaped),
      port.index.selfType(at: call, in: port.file).frameworkName == "UserDefaults"
    else { return }
    port.rewrite(.userDefaults, at: name, [.insert("defaults.", at: name.start)])
  }

  /// Foundation's class posts its notifications.
  private static func reachPoster(_ call: FunctionCallExprSyntax, in port: FilePort) {
    guard let object = call.argument("object"), isReplaced(object, in: port) else { return }
    let isPosted = call.arguments.contains { argument in
      let name = argument.expression.as(MemberAccessExprSyntax.self)
      return name?.base.flatMap { $0.trimmedDescription.hasSuffix("UserDefaults") } == true
        && typeMembers.contains(name?.declName.baseName.unescaped ?? "")
    }
    guard isPosted else { return }
    port.rewrite(.userDefaults, at: object, [.insert(".defaults", at: object.end)])
  }

  /// Whether an object of Foundation's class is one of the library's after the run.
  private static func isReplaced(_ expression: ExprSyntax, in port: FilePort) -> Bool {
    let use = port.index.foundationUse
    if expression.trimmedDescription == "self" {
      return port.index.selfType(at: expression, in: port.file).frameworkName == "UserDefaults"
    }
    guard let type = port.index.scopedType(of: expression, in: port.file), !type.name.isMetatype
    else { return false }
    // Another module may not have replaced it.
    return type.name.name == "UserDefaults" && use.replacesUserDefaults(in: type.scope.file)
  }

  private static func warnOfSubclass(_ node: Syntax, in port: FilePort) {
    guard let node = node.as(ClassDeclSyntax.self),
      let superclass = node.inheritanceClause?.inheritedTypes.first?.type,
      superclass.trimmedDescription == "UserDefaults"
    else { return }
    port.warn(.userDefaults, at: superclass, Messages.defaultsSubclass(node.name.text))
  }

  /// Notifications and domains are members of Foundation's class.
  private static func reachFoundation(_ node: MemberAccessExprSyntax, in port: FilePort) {
    guard let base = node.base?.as(DeclReferenceExprSyntax.self),
      base.baseName.text == "UserDefaults",
      typeMembers.contains(node.declName.baseName.unescaped)
    else { return }
    port.rewrite(
      .userDefaults, at: base, [.insert("Foundation.", at: base.start)], usesLibrary: false)
  }
}
