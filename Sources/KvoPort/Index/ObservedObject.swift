internal import SwiftSyntax

/// The object that a call observes, as far as the sources show it.
enum ObservedObject {
  /// An object whose class notifies after the run.
  case observable
  /// An object of the program whose property does not notify.
  case unobservable(TypeDeclaration, key: String)
  /// An observable object without a value for the key.
  case undefined(TypeDeclaration, key: String)
  /// An object of a framework's class.
  case framework(String)
  /// An `NSObject`, which a wrapper observes.
  case anyObject
  /// A key path through an object of a framework's class.
  case through(String, key: String)
  case managed(TypeDeclaration)
  /// Not key-value observing, but a function of the program.
  case ownFunction
  case unknown
}

extension Index {
  func observedObject(
    of call: FunctionCallExprSyntax, _ observation: Observation, in file: SourceFile
  )
    -> ObservedObject
  {
    var receiver = receiver(of: call, in: file)
    if case .unknown = receiver, let root = observation.root {
      receiver = value(of: ScopedType(name: root, scope: scope(at: call, in: file)))
    }
    switch receiver {
    case .own(let type): return observedObject(type, observation, call)
    case .framework(let name):
      if Frameworks.observable.contains(name.base) { return .observable }
      if name.base == "UserDefaults" { return .observable }
      if ["NSObject", "NSObjectProtocol", "AnyObject"].contains(name.base) { return .anyObject }
      return .framework(name.base)
    case .unknown: return guess(observation)
    }
  }

  private func observedObject(
    _ type: TypeDeclaration, _ observation: Observation, _ call: FunctionCallExprSyntax
  ) -> ObservedObject {
    let name = call.calledName ?? ""
    if type.functions.values.contains(where: { $0.name.unescaped == name }),
      observation.kind == .typed || observation.kind == .publisher
    {
      return .ownFunction
    }
    if isManagedByDatabase(type) { return .managed(type) }
    guard type.kind == .class || type.kind == .protocol else { return .ownFunction }
    guard let key = observation.keys.first else {
      return isObservable(type) || type.kind == .protocol
        ? .observable : .unobservable(type, key: "")
    }
    if observation.kind == .classic, isObservable(type), hasNoKey(key, type) {
      return .undefined(type, key: key)
    }
    guard let property = property(key, of: type) else {
      if isObservable(type), isOperation(type) || type.kind == .protocol { return .observable }
      guard let superclass = frameworkSuperclass(of: type), superclass.base != "NSObject" else {
        return isObservable(type) ? .observable : .unobservable(type, key: key)
      }
      return Frameworks.observable.contains(superclass.base)
        ? .observable : .framework(superclass.base)
    }
    let rest = rest(of: observation.keys, after: property, of: type)
    if isObservable(type) { return rest }
    if type.kind == .protocol { return .observable }
    // To annotate the class would not help.
    if case .through = rest { return rest }
    if property.isOverride, !superclasses(of: type).contains(where: { $0.properties[key] != nil }),
      let superclass = frameworkSuperclass(of: type), superclass.base != "NSObject"
    {
      return .framework(superclass.base)
    }
    return .unobservable(type, key: key)
  }

  /// Follows a key path, which may lead through an object of a framework.
  private func rest(
    of keys: [String], after property: Property, of type: TypeDeclaration
  ) -> ObservedObject {
    var current = property
    var owner = type
    for key in keys.dropFirst() {
      guard let next = self.type(of: current, in: owner) else { break }
      switch value(of: next) {
      case .own(let declaration):
        guard let property = self.property(key, of: declaration) else { return .observable }
        (owner, current) = (declaration, property)
      case .framework(let name)
      where Frameworks.isClass(name.base) || ["Operation", "Progress"].contains(name.base):
        return .through(name.base, key: key)
      case .framework, .unknown: return .observable
      }
    }
    return .observable
  }

  /// A receiver whose type is not visible is taken for that of a class of the program, if one has the key.
  private func guess(_ observation: Observation) -> ObservedObject {
    guard let key = observation.keys.first else { return .unknown }
    let candidates = classes(withProperty: key)
    let isObserved = candidates.contains { type in
      type.properties[key]?.isDynamic == true && isObservable(type) || type.isAnnotated
    }
    return isObserved ? .observable : .unknown
  }

  /// Whether a class inherits from `Operation`.
  func isOperation(_ type: TypeDeclaration) -> Bool {
    frameworkSuperclass(of: type).map { Frameworks.operations.contains($0.base) } ?? false
  }
}
