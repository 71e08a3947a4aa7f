import SwiftSyntax

extension StoredProperty {
  /// The private variable that holds the value, with the type, the initial value and the observers
  /// of the user's declaration.
  var storageDeclaration: String {
    let type = binding.typeAnnotation?.trimmedDescription ?? ""
    let value = binding.initializer.map { " \($0.trimmedDescription)" } ?? ""
    let observers = storageObservers.map { " \($0)" } ?? ""
    // Each access holds the lock, which makes it safe.
    let safe = isGuarded ? ["@safe"] : []
    let modifiers = (storageAttributes + safe + storageModifiers).joined(separator: " ")
    return "\(modifiers) var \(storageName.text)\(type)\(value)\(observers)"
  }

  private var storageAttributes: [String] {
    variable.attributes
      .compactMap { $0.as(AttributeSyntax.self) }
      .filter(\.appliesToStorage)
      .map(\.trimmedDescription)
  }

  /// `private`, and what the user's modifiers say about the value rather than about who sees it.
  private var storageModifiers: [String] {
    let isolation: [TokenKind] = isGuarded ? [] : [.keyword(.nonisolated)]
    let kept = variable.modifiers.filter { modifier in
      ([.keyword(.weak), .keyword(.unowned)] + isolation).contains(modifier.name.tokenKind)
    }
    return (subject.isFinal ? ["private"] : ["private", "final"])
      + (isGuarded ? ["nonisolated(unsafe)"] : []) + kept.map(\.trimmedDescription)
  }

  /// The `willSet` and `didSet` of the user, around the storage as they were around the variable.
  var storageObservers: String? {
    guard let observers = binding.accessorBlock,
      case .accessors(let accessors) = observers.accessors
    else { return nil }
    let moved = accessors.map { observer in
      observer.with(\.body, observer.body.map { ownAccesses(in: $0, of: observer) })
    }
    return observers.trimmed.with(\.accessors, .accessors(AccessorDeclListSyntax(moved)))
      .description
  }

  private func ownAccesses(
    in body: CodeBlockSyntax, of observer: AccessorDeclSyntax
  ) -> CodeBlockSyntax {
    let rewriter = OwnAccessRewriter(property: name, storage: storageName, observer: observer)
    return rewriter.rewrite(body).cast(CodeBlockSyntax.self)
  }
}
