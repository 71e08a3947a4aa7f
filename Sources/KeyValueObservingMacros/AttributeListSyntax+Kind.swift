import SwiftSyntax

extension AttributeListSyntax {
  func contains(named name: String) -> Bool {
    first(named: name) != nil
  }

  func first(named name: String) -> AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.baseName == name }
  }

  var globalActor: AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first(where: \.isGlobalActor)
  }

  /// The attribute that stores the value of a variable elsewhere, if there is one.
  var wrapper: AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first(where: \.isPropertyWrapper)
  }

  /// Whether code that uses this is warned of it.
  var deprecate: Bool {
    availability.contains { argument in
      switch argument.argument {
      case .token(let token): token.text == "deprecated"
      case .availabilityLabeledArgument(let labeled): labeled.label.text == "deprecated"
      default: false
      }
    }
  }

  /// Whether some code that may use the class may not use this: deprecation alone does not do that.
  var limitAvailability: Bool {
    availability.contains { argument in
      switch argument.argument {
      case .token(let token): token.text == "unavailable"
      case .availabilityLabeledArgument(let labeled):
        ["introduced", "obsoleted"].contains(labeled.label.text)
      default: true
      }
    }
  }

  private var availability: [AvailabilityArgumentSyntax] {
    compactMap { $0.as(AttributeSyntax.self) }
      .compactMap { $0.arguments?.as(AvailabilityArgumentListSyntax.self) }
      .flatMap { Array($0) }
  }
}

extension AttributeSyntax {
  /// The name without the module it may be qualified with.
  var baseName: String {
    attributeName.baseName
  }

  /// Whether this looks like a global actor, which macros cannot query.
  var isGlobalActor: Bool {
    baseName.hasSuffix("Actor")
  }

  /// Whether this is not one of the attributes of variables that keep their own storage.
  ///
  /// It is then a property wrapper, or a macro that adds accessors of its own.
  var isPropertyWrapper: Bool {
    !isGlobalActor && !Self.macros.contains(baseName) && !Self.builtIn.contains(baseName)
      && !Self.isUnderscored(baseName)
  }

  /// Whether private storage needs this too: it says who may touch the value, or its type.
  var appliesToStorage: Bool {
    isGlobalActor || ["available", "preconcurrency", "exclusivity"].contains(baseName)
  }

  private static let macros: Set<String> = [
    EmittedName.ignoredMacro, EmittedName.dependentMacro, EmittedName.storedMacro,
  ]

  private static let builtIn: Set<String> = [
    "available", "backDeployed", "exclusivity", "GKInspectable", "IBInspectable", "IBOutlet",
    "inlinable", "inline", "nonobjc", "objc", "preconcurrency", "safe", "Sendable", "unsafe",
    "usableFromInline",
  ]

  /// Attributes such as `@_spi` are the compiler's; types start with an uppercase letter.
  private static func isUnderscored(_ name: String) -> Bool {
    name.first == "_" && name.dropFirst().first?.isLowercase == true
  }
}

extension AttributedTypeSyntax {
  /// The actor that isolates a conformance to the type, whatever its name: nothing else can stand
  /// there in front of a protocol and begin with an uppercase letter.
  var globalActor: AttributeSyntax? {
    attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }
      .first { $0.baseName.first?.isUppercase == true }
  }
}

extension TypeSyntax {
  /// The types of a composition, or the type itself.
  var composed: [TypeSyntax] {
    self.as(CompositionTypeSyntax.self)?.elements.flatMap { $0.type.composed } ?? [self]
  }

  /// The last component of a type's name, without generic arguments, and without what isolates a
  /// conformance to it.
  var baseName: String {
    if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.baseName }
    if let identifier = self.as(IdentifierTypeSyntax.self) { return identifier.name.text }
    if let member = self.as(MemberTypeSyntax.self) { return member.name.text }
    return trimmedDescription
  }
}
