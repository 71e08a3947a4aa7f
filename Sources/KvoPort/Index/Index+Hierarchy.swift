internal import SwiftSyntax

// Classes and their superclasses.
extension Index {
  /// The superclass that the sources declare.
  func superclass(of type: TypeDeclaration) -> TypeDeclaration? {
    switch type.superclass {
    case .found(let superclass): return superclass
    case .beingFound: return nil
    case .unknown: break
    }
    // A lookup of the name may ask for the superclasses of the types around it.
    type.superclass = .beingFound
    let superclass = findSuperclass(of: type)
    type.superclass = .found(superclass)
    return superclass
  }

  private func findSuperclass(of type: TypeDeclaration) -> TypeDeclaration? {
    guard type.kind == .class, let first = type.inherited.first else { return nil }
    // A nested class may have the name of its superclass.
    let found =
      self.type(named: first.name, from: Scope(file: type.file, type: nil))
      ?? self.type(named: first.name, from: Scope(file: type.file, type: type))
    return found?.kind == .class && found !== type ? found : nil
  }

  /// The superclasses that the sources declare, the nearest first.
  func superclasses(of type: TypeDeclaration) -> [TypeDeclaration] {
    var superclasses: [TypeDeclaration] = []
    var current = superclass(of: type)
    while let next = current, next !== type, !superclasses.contains(where: { $0 === next }) {
      superclasses.append(next)
      current = superclass(of: next)
    }
    return superclasses
  }

  /// A class with the subclasses that the sources declare.
  func family(of type: TypeDeclaration) -> [TypeDeclaration] {
    types.filter { member in
      member === type || superclasses(of: member).contains { $0 === type }
    }
  }

  /// The class of a framework from which a class inherits, by its name; it may be a protocol.
  func frameworkSuperclass(of type: TypeDeclaration) -> TypeName? {
    let outermost = superclasses(of: type).last ?? type
    guard outermost.kind == .class, let first = outermost.inherited.first,
      self.type(named: first.name, from: Scope(file: outermost.file, type: nil)) == nil
        || first.name.contains(".")
    else { return nil }
    return typeAlias(first.name, from: outermost.file) ?? first
  }

  /// Whether a database implements the properties of a class at run time.
  func isManagedByDatabase(_ type: TypeDeclaration) -> Bool {
    if type.properties.values.contains(where: {
      $0.declaration.attributes.contains(named: "NSManaged")
    }) {
      return true
    }
    guard let name = frameworkSuperclass(of: type) else { return false }
    if Frameworks.managedObjects.contains(name.base) { return true }
    let outermost = superclasses(of: type).last ?? type
    let importsDatabase = outermost.file.nodes.imports.contains { node in
      Frameworks.databaseModules.contains(node.path.first?.name.text ?? "")
    }
    return name.base == "Object" && (importsDatabase || name.name != "Object")
  }

  /// Whether objects of a class belong to the main actor.
  func isOnMainActor(_ type: TypeDeclaration) -> Bool {
    let classes = [type] + superclasses(of: type)
    if classes.contains(where: { $0.attributes.contains(named: "MainActor") }) { return true }
    return frameworkSuperclass(of: type).map { Frameworks.mainActorClasses.contains($0.base) }
      ?? false
  }

  /// Whether this run annotates a class.
  func isToBeAnnotated(_ type: TypeDeclaration) -> Bool {
    guard type.kind == .class, !type.isSkipped, !type.isLocal, !type.isAnnotated,
      !isManagedByDatabase(type)
    else { return false }
    return type.hasDynamicProperty || type.postsManually || type.declaresKeys || type.ownsKeyPaths
  }

  /// Whether objects of a class can be observed after the run.
  func isObservable(_ type: TypeDeclaration) -> Bool {
    guard type.kind == .class || type.kind == .protocol else { return false }
    if ([type] + superclasses(of: type)).contains(where: { $0.isAnnotated || isToBeAnnotated($0) })
    {
      return true
    }
    if type.inherited.contains(where: { Frameworks.observable.contains($0.base) }) { return true }
    if isOperation(type), let root = superclasses(of: type).last ?? Optional(type),
      foundationUse.operations.contains(where: { $0 === root })
    {
      return true
    }
    return frameworkSuperclass(of: type).map { Frameworks.observable.contains($0.base) } ?? false
  }

  /// Whether a superclass in the sources can be observed after the run.
  func hasObservableSuperclass(_ type: TypeDeclaration) -> Bool {
    superclasses(of: type).contains { isObservable($0) }
      || frameworkSuperclass(of: type).map { Frameworks.observable.contains($0.base) } ?? false
  }

  /// Whether a superclass in the sources notifies of a property.
  func superclassNotifies(_ property: String, _ type: TypeDeclaration) -> Bool {
    superclasses(of: type).contains { isObservable($0) && $0.properties[property] != nil }
  }

  /// Whether a superclass in the sources receives changes in `observeValue`.
  func hasObserverSuperclass(_ type: TypeDeclaration) -> Bool {
    superclasses(of: type).contains { $0.functions[CocoaNames.observeValue] != nil }
  }

  /// Whether a superclass in the sources declares a function.
  func superclassDeclares(_ function: String, of type: TypeDeclaration) -> Bool {
    superclasses(of: type).contains { $0.functions[function] != nil }
  }

  /// Whether a superclass in the sources declares a function without parameters, or a property, as a node
  /// does.
  func superclassDeclares(_ node: Syntax, _ name: String, of type: TypeDeclaration) -> Bool {
    guard node.is(VariableDeclSyntax.self) else {
      return superclassDeclares(name + "()", of: type)
    }
    return superclasses(of: type).contains { $0.properties[name]?.isOfType == true }
  }

  /// A property of a type, or of its superclasses.
  func property(_ name: String, of type: TypeDeclaration) -> Property? {
    ([type] + superclasses(of: type)).lazy.compactMap { $0.properties[name] }.first
  }

  /// Whether objects of an observable class have no value for a key, as far as the sources show.
  func hasNoKey(_ key: String, _ type: TypeDeclaration) -> Bool {
    if let property = property(key, of: type) {
      return property.isInExtension && !property.isOfType
    }
    // The object may be one of a subclass, or of any class that conforms to the protocol.
    if type.kind == .protocol
      || family(of: type).contains(where: { $0.properties[key]?.isInExtension == false })
    {
      return false
    }
    let superclass = frameworkSuperclass(of: type)?.base ?? "NSObject"
    return superclass == "NSObject" && key != "self" && !key.hasPrefix("@")
      && !declares("value(forUndefinedKey:)", type)
      && !declares("setValue(_:forUndefinedKey:)", type)
  }

  /// The protocols of the sources to which a type conforms.
  func protocols(of type: TypeDeclaration?) -> [TypeDeclaration] {
    (type.map { $0.inherited + $0.addedConformances } ?? []).compactMap { name in
      type.flatMap { self.type(named: name.name, from: Scope(file: $0.file, type: nil)) }
    }
    .filter { $0.kind == .protocol }
  }

  func declares(_ function: String, _ type: TypeDeclaration) -> Bool {
    ([type] + superclasses(of: type)).contains { $0.functions[function] != nil }
  }
}

/// Full names of Cocoa's functions.
enum CocoaNames {
  static let observeValue = "observeValue(forKeyPath:of:change:context:)"
  static let affectingValue = "keyPathsForValuesAffectingValue(forKey:)"
  static let affectingPrefix = "keyPathsForValuesAffecting"
  static let automaticForKey = "automaticallyNotifiesObservers(forKey:)"
  static let automaticPrefix = "automaticallyNotifiesObserversOf"

  /// Whether a name is that of a class-level override about keys.
  static func isClassLevel(_ name: String) -> Bool {
    name.hasPrefix(affectingPrefix) || name.hasPrefix("automaticallyNotifiesObservers")
  }

  static func affecting(_ key: String) -> String { affectingPrefix + capitalized(key) }
  static func automatic(_ key: String) -> String { automaticPrefix + capitalized(key) }
  static func setter(_ key: String) -> String { "set" + capitalized(key) }

  private static func capitalized(_ key: String) -> String {
    key.prefix(1).uppercased() + key.dropFirst()
  }
}

extension TypeDeclaration {
  /// Whether the body has a variable that notifies in Cocoa.
  var hasDynamicProperty: Bool {
    properties.values.contains { $0.isDynamic && !$0.isOfType && !$0.isInExtension }
  }

  /// Whether it declares dependencies of keys, or whether they notify.
  var declaresKeys: Bool {
    let names = Array(functions.keys) + properties.values.filter(\.isOfType).map(\.name)
    return names.contains(where: CocoaNames.isClassLevel)
  }
}
