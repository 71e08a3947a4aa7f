import SwiftSyntax

extension StoredProperty {
  /// The private variable that holds the value, with the type, the initial value and the observers
  /// of the user's declaration.
  var storageDeclaration: VariableDeclSyntax {
    VariableDeclSyntax(
      attributes: AttributeListSyntax(storageAttributes),
      modifiers: DeclModifierListSyntax(storageModifiers),
      bindingSpecifier: .keyword(.var),
      bindings: [
        PatternBindingSyntax(
          pattern: IdentifierPatternSyntax(identifier: storageName),
          typeAnnotation: binding.typeAnnotation?.trimmed,
          initializer: binding.initializer?.trimmed,
          accessorBlock: storageObservers
        )
      ]
    )
  }

  private var storageAttributes: [AttributeListSyntax.Element] {
    variable.attributes
      .compactMap { $0.as(AttributeSyntax.self) }
      .filter(\.appliesToStorage)
      .map { .attribute($0.trimmed) }
  }

  /// `private`, and what the user's modifiers say about the value rather than about who sees it.
  private var storageModifiers: [DeclModifierSyntax] {
    let access: [Keyword] = subject.isFinal ? [.private] : [.private, .final]
    let kept = variable.modifiers.filter { modifier in
      [.keyword(.weak), .keyword(.unowned), .keyword(.nonisolated)]
        .contains(modifier.name.tokenKind)
    }
    return access.map { DeclModifierSyntax(name: .keyword($0)) } + kept.map(\.trimmed)
  }

  /// The `willSet` and `didSet` of the user, around the storage as they were around the variable.
  private var storageObservers: AccessorBlockSyntax? {
    guard let observers = binding.accessorBlock,
      case .accessors(let accessors) = observers.accessors
    else { return nil }
    let moved = accessors.map { observer in
      observer.with(\.body, observer.body.map { ownAccesses(in: $0, of: observer) })
    }
    return observers.trimmed.with(\.accessors, .accessors(AccessorDeclListSyntax(moved)))
  }

  private func ownAccesses(
    in body: CodeBlockSyntax, of observer: AccessorDeclSyntax
  ) -> CodeBlockSyntax {
    let rewriter = OwnAccessRewriter(property: name, storage: storageName, observer: observer)
    return rewriter.rewrite(body).cast(CodeBlockSyntax.self)
  }
}
