internal import SwiftSyntax

/// A variable or constant that the body of a type, or an extension, declares.
struct Property {
  let name: String
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax
  let file: SourceFile
  /// Whether it is declared in an extension.
  let isInExtension: Bool

  var isDynamic: Bool { declaration.modifiers.contains(.dynamic) }

  var isOfType: Bool { declaration.isOfType }

  var isOverride: Bool { declaration.modifiers.contains(.override) }

  var isConstant: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

  /// Whether it has a getter of its own.
  var isComputed: Bool { binding.isComputed }

  /// Whether it is a variable that stores its value.
  var isStoredVariable: Bool { !isConstant && !isComputed && !isOfType }

  var isPrivate: Bool {
    declaration.modifiers.contains { modifier in
      [.keyword(.private), .keyword(.fileprivate)].contains(modifier.name.tokenKind)
        && modifier.detail == nil
    }
  }

  /// Whether only the file can set it.
  var hasPrivateSetter: Bool {
    isPrivate
      || declaration.modifiers.contains { modifier in
        [.keyword(.private), .keyword(.fileprivate)].contains(modifier.name.tokenKind)
      }
  }
}

extension VariableDeclSyntax {
  /// Whether it is a property of the type itself.
  var isOfType: Bool { modifiers.contains(.static) || modifiers.contains(.class) }
}

extension DeclModifierListSyntax {
  func contains(_ keyword: Keyword) -> Bool { first(keyword) != nil }

  func first(_ keyword: Keyword) -> DeclModifierSyntax? {
    first { $0.name.tokenKind == .keyword(keyword) && $0.detail == nil }
  }
}

extension AttributeListSyntax {
  func contains(named name: String) -> Bool { first(named: name) != nil }

  /// The attribute of a name, in front of an `#if` or in it.
  func first(named name: String) -> AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.baseName == name }
  }

  var all: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }
}

extension AttributeSyntax {
  /// The name without the module in front of it.
  var baseName: String { TypeName(attributeName)?.base ?? attributeName.trimmedDescription }
}

extension AttributeSyntax {
  /// The name that `@objc(name)` gives.
  var objectiveCName: String? {
    guard let arguments = arguments?.as(ObjCSelectorPieceListSyntax.self) else { return nil }
    return arguments.trimmedDescription
  }
}

extension PatternBindingSyntax {
  var name: String? { pattern.as(IdentifierPatternSyntax.self)?.identifier.unescaped }

  /// Whether there is a getter, as opposed to nothing or only `willSet` and `didSet`.
  var isComputed: Bool {
    guard let block = accessorBlock else { return false }
    guard case .accessors(let accessors) = block.accessors else { return true }
    return !accessors.allSatisfy(\.isObserver)
  }

  var accessors: [AccessorDeclSyntax] {
    guard case .accessors(let accessors) = accessorBlock?.accessors else { return [] }
    return Array(accessors)
  }

  func accessor(_ keyword: Keyword) -> AccessorDeclSyntax? {
    accessors.first { $0.accessorSpecifier.tokenKind == .keyword(keyword) }
  }
}

extension AccessorDeclSyntax {
  /// Whether this is a `willSet` or a `didSet`.
  var isObserver: Bool {
    [.keyword(.willSet), .keyword(.didSet)].contains(accessorSpecifier.tokenKind)
  }
}
