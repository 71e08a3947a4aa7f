import SwiftSyntax

extension VariableDeclSyntax {
  /// Whether this is `static` or `class`: a property of the type, not of its objects.
  var isTypeProperty: Bool {
    modifiers.contains { $0.is(.static) || $0.is(.class) }
  }

  var isLet: Bool {
    bindingSpecifier.tokenKind == .keyword(.let)
  }

  /// Whether this variable holds its value itself, with or without observers.
  var isStored: Bool {
    bindings.contains { !$0.isComputed }
  }

  /// Whether `@KeyValueObservable` turns this variable into an observed one.
  ///
  /// An overriding variable has no storage of its own: the overridden one is observed.
  var isObservedStorage: Bool {
    !isLet && isStored && hasType && !isTypeProperty && !modifiers.contains(.override)
      && !attributes.contains(named: EmittedName.ignoredMacro)
      && !attributes.contains(named: EmittedName.storedMacro)
  }

  /// Whether its type is spelled or can be inferred, without which the compiler reports an error.
  private var hasType: Bool {
    bindings.allSatisfy { $0.typeAnnotation != nil || $0.initializer != nil }
  }

  /// Whether its type is spelled with `some`, which makes it a type of this declaration alone.
  var isOpaque: Bool {
    bindings.contains { binding in
      binding.typeAnnotation?.tokens(viewMode: .sourceAccurate)
        .contains { $0.tokenKind == .keyword(.some) } == true
    }
  }

  /// The names it declares, for a message: without the backticks that a name may be written in.
  var quotedNames: String {
    bindings.map { "'\($0.name?.unescapedName ?? $0.pattern.trimmedDescription)'" }
      .joined(separator: ", ")
  }
}

extension PatternBindingSyntax {
  /// Whether there is a getter, as opposed to nothing or only `willSet` and `didSet`.
  var isComputed: Bool {
    guard let block = accessorBlock else { return false }
    guard case .accessors(let accessors) = block.accessors else { return true }
    return !accessors.allSatisfy(\.isObserver)
  }

  var hasSetter: Bool {
    guard case .accessors(let accessors) = accessorBlock?.accessors else { return false }
    return accessors.contains { ["set", "_modify", "modify"].contains($0.accessorSpecifier.text) }
  }

  /// Whether the getter is `async` or throws, which no key path can express.
  var hasEffects: Bool {
    guard case .accessors(let accessors) = accessorBlock?.accessors else { return false }
    return accessors.contains { $0.effectSpecifiers != nil }
  }

  /// Whether its type is `Self`, which only that of a computed property can be.
  ///
  /// A key path to it compiles and traps at run time (Swift 6.3), in every context.
  var isOfDynamicSelf: Bool {
    guard let type = typeAnnotation?.type else { return false }
    let wrapped =
      type.as(OptionalTypeSyntax.self)?.wrappedType
      ?? type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType ?? type
    return wrapped.as(IdentifierTypeSyntax.self)?.name.tokenKind == .keyword(.Self)
  }

  /// The name this binding declares, with its backticks, unless it is a tuple.
  var name: TokenSyntax? {
    pattern.as(IdentifierPatternSyntax.self)?.identifier.trimmed
  }
}

extension AccessorDeclSyntax {
  var isObserver: Bool {
    [.keyword(.willSet), .keyword(.didSet)].contains(accessorSpecifier.tokenKind)
  }
}
