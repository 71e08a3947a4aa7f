internal import SwiftSyntax

/// Writes `try` in front of key-value coding, which throws where Cocoa raises an exception.
enum KeyValueCodingPattern: Pattern {
  private static let functions: Set<String> = [
    "value(forKey:)", "value(forKeyPath:)", "setValue(_:forKey:)", "setValue(_:forKeyPath:)",
    "mutableArrayValue(forKey:)", "mutableArrayValue(forKeyPath:)", "mutableSetValue(forKey:)",
    "mutableSetValue(forKeyPath:)", "mutableOrderedSetValue(forKey:)",
    "mutableOrderedSetValue(forKeyPath:)", "dictionaryWithValues(forKeys:)",
  ]

  static func apply(to port: FilePort) {
    for call in port.nodes.calls {
      guard let name = call.calledNameToken, call.isMethodCall else { continue }
      let function = "\(name.unescaped)(\(call.labels.map { $0 + ":" }.joined()))"
      guard functions.contains(function) else { continue }
      apply(to: call, name, function, in: port)
    }
  }

  private static func apply(
    to call: FunctionCallExprSyntax, _ name: TokenSyntax, _ function: String, in port: FilePort
  ) {
    let index = port.index
    switch index.receiver(of: call, in: port.file) {
    case .own(let type):
      if index.declares(function, type) || type.kind != .class { return }
      if index.isManagedByDatabase(type) {
        port.warn(.databaseClass, at: name, Messages.managedObject(type.name), isOwn: false)
      } else if let superclass = inheritedOwner(of: call, type, index) {
        port.warn(.keyValueCoding, at: name, Messages.frameworkCoding(superclass), isOwn: false)
      } else if index.isObservable(type) {
        warnOfKey(call, name, type, in: port)
        rewrite(call, name, in: port)
      } else if let superclass = index.frameworkSuperclass(of: type), superclass.base != "NSObject"
      {
        guard !Frameworks.keyedValues.contains(superclass.base) else { return }
        port.warn(
          .keyValueCoding, at: name, Messages.frameworkCoding(superclass.base), isOwn: false)
      } else {
        port.warn(.keyValueCoding, at: name, Messages.ownCoding(type.name))
      }
    case .framework(let type):
      if Frameworks.observable.contains(type.base) { return rewrite(call, name, in: port) }
      if type.base == "UserDefaults" {
        if index.foundationUse.replacesUserDefaults(in: port.file) { rewrite(call, name, in: port) }
        return
      }
      if Frameworks.collections.contains(type.base), function == "value(forKeyPath:)" {
        return port.warn(
          .keyValueCoding, at: name, Messages.collectionCoding(type.base), isOwn: false)
      }
      guard !Frameworks.keyedValues.contains(type.base) else { return }
      if type.base == "NSObject", port.wrappers.contain(call) {
        return rewrite(call, name, in: port)
      }
      guard Frameworks.isClass(type.base) || Frameworks.replaced[type.base] != nil else {
        return port.leave(
          .keyValueCoding, at: name, note: Messages.foreignCoding(type.base), isOwn: false,
          usesLibrary: false)
      }
      port.warn(.keyValueCoding, at: name, Messages.frameworkCoding(type.base), isOwn: false)
    case .unknown:
      // Functions of this name that the program declares are its own.
      guard !index.types.contains(where: { $0.functions[function] != nil }) else { return }
      port.warn(.keyValueCoding, at: name, Messages.unknownCoding, isOwn: false)
    }
  }

  /// The class of a framework from which an observable class inherits the property of a key.
  private static func inheritedOwner(
    of call: FunctionCallExprSyntax, _ type: TypeDeclaration, _ index: Index
  ) -> String? {
    guard let superclass = index.frameworkSuperclass(of: type)?.base, superclass != "NSObject",
      Frameworks.isClass(superclass), !Frameworks.keyedValues.contains(superclass),
      let key = call.arguments.last.flatMap({ Keys.key(of: $0.expression) }),
      index.property(key, of: type) == nil
    else { return nil }
    return superclass
  }

  private static func warnOfKey(
    _ call: FunctionCallExprSyntax, _ name: TokenSyntax, _ type: TypeDeclaration, in port: FilePort
  ) {
    guard let argument = call.arguments.last?.expression, let key = Keys.key(of: argument) else {
      return
    }
    if port.index.hasNoKey(key, type) {
      return port.warn(.unknownKey, at: name, Messages.undefinedKey(key, type.name))
    }
    guard let property = port.index.property(key, of: type) else { return }
    if port.index.isIgnored(property) {
      return port.warn(.unknownKey, at: name, Messages.unreadableKey(key, type.name))
    }
    guard property.hasPrivateSetter else { return }
    switch name.text {
    case "setValue":
      port.warn(.privateKey, at: name, Messages.privateKey(key, type.name))
    // A proxy of `a.b` mutates a property of the object in `a`.
    case "mutableArrayValue" where Keys.keys(of: argument).count == 1,
      "mutableSetValue" where Keys.keys(of: argument).count == 1:
      port.warn(
        .privateKey, at: name, Messages.privateCollection(key, type.name, proxy: name.text))
    default: break
    }
  }

  private static func rewrite(
    _ call: FunctionCallExprSyntax, _ name: TokenSyntax, in port: FilePort
  ) {
    if name.text == "mutableOrderedSetValue" {
      return port.warn(.keyValueCoding, at: name, Messages.orderedSetCoding)
    }
    let members = ProxyMembers(of: call)
    for member in members.unknown {
      port.warn(.keyValueCoding, at: member, Messages.proxyMember(member.text))
    }
    let keyword: String
    if call.isTried {
      if members.edits.isEmpty { return port.leave(.keyValueCoding, at: name) }
      return port.rewrite(.keyValueCoding, at: name, members.edits)
    } else if call.isWhereErrorsAreThrown {
      keyword = "try"
    } else {
      switch port.options.attempt {
      case .throw: return port.warn(.keyValueCoding, at: name, Messages.untriedCoding)
      case .stop: keyword = "try!"
      case .ignore: keyword = "try?"
      }
    }
    // One `try` covers several calls of an expression.
    let edits = TryPlacement(keyword, of: call).edits.filter {
      keyword != "try" || !port.edits.edits.contains($0)
    }
    port.rewrite(.keyValueCoding, at: name, edits + members.edits)
  }
}
