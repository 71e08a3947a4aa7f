internal import SwiftSyntax

/// A type as a declaration spells it, without what optionals, `some` and `any` add.
struct TypeName: Hashable, Sendable {
  /// The name with those of the types or modules in front of it: `Outer.Inner`.
  var name: String
  var arguments: [TypeName] = []
  /// Whether this is the type itself, and not one of its values.
  var isMetatype = false

  /// The last component of the name.
  var base: String { name.split(separator: ".").last.map(String.init) ?? name }

  static let array = "Array"
  static let dictionary = "Dictionary"

  /// The type of the elements of a collection.
  var element: TypeName? {
    switch base {
    case Self.dictionary: arguments.last
    default: arguments.first
    }
  }

  init(_ name: String, _ arguments: [TypeName] = [], isMetatype: Bool = false) {
    self.name = name
    self.arguments = arguments
    self.isMetatype = isMetatype
  }

  init?(_ type: TypeSyntax) {
    switch type.as(TypeSyntaxEnum.self) {
    case .identifierType(let type):
      self.init(type.name.unescaped, Self.arguments(of: type.genericArgumentClause))
    case .memberType(let type):
      guard let base = TypeName(type.baseType) else { return nil }
      self.init(
        base.name + "." + type.name.unescaped, Self.arguments(of: type.genericArgumentClause))
    case .optionalType(let type): self.init(type.wrappedType)
    case .implicitlyUnwrappedOptionalType(let type): self.init(type.wrappedType)
    case .attributedType(let type): self.init(type.baseType)
    case .someOrAnyType(let type): self.init(type.constraint)
    case .arrayType(let type):
      self.init(Self.array, TypeName(type.element).map { [$0] } ?? [])
    case .dictionaryType(let type):
      self.init(Self.dictionary, [TypeName(type.key), TypeName(type.value)].compactMap(\.self))
    case .tupleType(let type):
      guard let only = type.elements.first, type.elements.count == 1 else { return nil }
      self.init(only.type)
    case .compositionType(let type):
      // A class of a composition comes first.
      guard let first = type.elements.first else { return nil }
      self.init(first.type)
    default: return nil
    }
  }

  private static func arguments(of clause: GenericArgumentClauseSyntax?) -> [TypeName] {
    (clause?.arguments ?? []).compactMap { argument in
      TypeSyntax(argument.argument).flatMap { TypeName($0) }
    }
  }
}

extension TokenSyntax {
  /// The text without the backticks of an identifier.
  var unescaped: String {
    let text = self.text
    return text.count > 2 && text.first == "`" && text.last == "`"
      ? String(text.dropFirst().dropLast()) : text
  }
}
