internal import SwiftSyntax

// Classes through whose properties the key paths of observers lead.
extension Index {
  /// Finds the classes that are annotated because observers in a file follow key paths through their
  /// properties, as `observe(\.model.title)` in a controller with `@objc let model`.
  ///
  /// Cocoa needs no `dynamic` for a property that does not change.
  func addKeyPathOwners(of file: SourceFile) {
    for call in file.nodes.calls {
      guard let observation = Observation(call), observation.keys.count > 1,
        let type = root(of: call, observation, in: file)
      else { continue }
      for owner in owners(of: observation.keys, from: type) { owner.ownsKeyPaths = true }
    }
  }

  private func root(
    of call: FunctionCallExprSyntax, _ observation: Observation, in file: SourceFile
  ) -> TypeDeclaration? {
    var receiver = receiver(of: call, in: file)
    if case .unknown = receiver, let root = observation.root {
      receiver = value(of: ScopedType(name: root, scope: scope(at: call, in: file)))
    }
    guard case .own(let type) = receiver else { return nil }
    return type
  }

  /// The classes whose property Objective-C knows, if the key path ends in one that notifies.
  private func owners(of keys: [String], from type: TypeDeclaration) -> [TypeDeclaration] {
    var (type, owners) = (type, [TypeDeclaration]())
    for key in keys.dropLast() {
      let classes = [type] + superclasses(of: type)
      guard let owner = classes.first(where: { $0.properties[key] != nil }),
        let property = owner.properties[key], let next = self.type(of: property, in: owner),
        case .own(let declaration) = value(of: next)
      else { return [] }
      if !property.isDynamic, property.isKnownToObjectiveC(in: owner) { owners.append(owner) }
      type = declaration
    }
    guard let last = keys.last, property(last, of: type)?.isInExtension == false,
      isObservable(type)
    else { return [] }
    return owners
  }
}

extension Property {
  /// Whether it has a key in Cocoa.
  fileprivate func isKnownToObjectiveC(in type: TypeDeclaration) -> Bool {
    if isOfType || isInExtension { return false }
    if declaration.attributes.contains(named: "objc") { return true }
    return type.attributes.contains(named: "objcMembers") && !isPrivate
      && !declaration.attributes.contains(named: "nonobjc")
  }
}
