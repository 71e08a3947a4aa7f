internal import SwiftSyntax

/// The reason why the macro cannot observe a variable that stores its value.
enum Obstacle {
  case lazy
  case opaque
  /// An attribute that stores the value elsewhere, or copies it.
  case wrapper(AttributeSyntax)
  /// The variable does not have the isolation of its class.
  case isolation

  init?(_ variable: VariableDeclSyntax, in type: TypeDeclaration) {
    guard variable.isStoredVariable else { return nil }
    let isNonisolated = variable.modifiers.contains {
      $0.name.tokenKind == .keyword(.nonisolated)
    }
    let actor = type.attributes.globalActor
    if variable.modifiers.contains(.lazy) {
      self = .lazy
    } else if variable.isOpaque {
      self = .opaque
    } else if let attribute = variable.attributes.wrapper {
      self = .wrapper(attribute)
    } else if let own = variable.attributes.globalActor, own.baseName != actor?.baseName {
      self = .isolation
    } else if isNonisolated, actor != nil {
      self = .isolation
    } else {
      return nil
    }
  }
}

extension Index {
  /// Whether a property has, or is to be marked with, `@KeyValueIgnored`, so that no notification is sent.
  func isIgnored(_ property: Property) -> Bool {
    if property.declaration.attributes.contains(named: "KeyValueIgnored") { return true }
    guard let type = property.declaration.container.flatMap({ self.type(of: $0) }) else {
      return false
    }
    return isToBeAnnotated(type) && Obstacle(property.declaration, in: type) != nil
  }
}

extension VariableDeclSyntax {
  fileprivate var isOpaque: Bool {
    bindings.contains { binding in
      binding.typeAnnotation?.tokens(viewMode: .sourceAccurate)
        .contains { $0.tokenKind == .keyword(.some) } == true
    }
  }
}

// The macro makes the same distinctions.
extension AttributeListSyntax {
  /// The attribute that looks like a global actor.
  fileprivate var globalActor: AttributeSyntax? { all.first { $0.baseName.hasSuffix("Actor") } }

  /// The attribute that stores the value of a variable elsewhere, if there is one.
  fileprivate var wrapper: AttributeSyntax? {
    all.first { attribute in
      let name = attribute.baseName
      let isUnderscored = name.first == "_" && name.dropFirst().first?.isLowercase == true
      return !name.hasSuffix("Actor") && !isUnderscored && !Self.others.contains(name)
    }
  }

  private static let others: Set<String> = [
    "available", "backDeployed", "exclusivity", "GKInspectable", "IBInspectable", "IBOutlet",
    "inlinable", "inline", "KeyValueDependent", "KeyValueIgnored", "nonobjc", "objc",
    "preconcurrency", "safe", "Sendable", "unsafe", "usableFromInline",
  ]
}
