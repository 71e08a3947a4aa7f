internal import SwiftSyntax

/// The edits that make a nested private class `fileprivate`, as the members that the macro adds need, with
/// the private types that its other members name.
struct WidenedAccess {
  private(set) var edits: [Edit] = []

  init(_ node: ClassDeclSyntax, in file: SourceFile) {
    guard !node.enclosingTypeNames.isEmpty, let modifier = node.modifiers.first(.private) else {
      return
    }
    edits = [.replace(modifier.name.range, with: "fileprivate")]
    var candidates = (file.nodes.types + file.nodes.typeAliases.map { Syntax($0) }).filter {
      $0.isPrivateMember && !node.range.contains($0.start)
    }
    var new = [Syntax(node)]
    while let next = new.popLast() {
      let names = next.namesInSignatures
      let named = candidates.filter { $0.typeName.map(names.contains) ?? false }
      for type in named {
        guard let modifier = type.accessModifier else { continue }
        edits.append(.replace(modifier.name.range, with: "fileprivate"))
      }
      candidates.removeAll { candidate in named.contains { $0.id == candidate.id } }
      new += named
    }
  }
}

extension Syntax {
  fileprivate var accessModifier: DeclModifierSyntax? {
    asProtocol((any WithModifiersSyntax).self)?.modifiers.first(.private)
  }

  /// Whether it is a private declaration in a type.
  fileprivate var isPrivateMember: Bool {
    accessModifier != nil && container != nil
  }

  fileprivate var typeName: String? {
    self.as(TypeAliasDeclSyntax.self)?.name.unescaped ?? declaredTypeName
  }

  /// The names in all parts of a type that must not name types which fewer declarations can use.
  fileprivate var namesInSignatures: Set<String> {
    var parts: [Syntax?] = [
      self.as(TypeAliasDeclSyntax.self).map { Syntax($0.initializer) },
      asProtocol((any DeclGroupSyntax).self)?.inheritanceClause.map { Syntax($0) },
      self.as(ClassDeclSyntax.self)?.genericParameterClause.map { Syntax($0) },
    ]
    for member in asProtocol((any DeclGroupSyntax).self)?.memberBlock.members.flattened ?? []
    where Syntax(member).accessModifier == nil {
      switch member.as(DeclSyntaxEnum.self) {
      case .variableDecl(let variable):
        for binding in variable.bindings {
          parts.append(
            binding.typeAnnotation.map { Syntax($0) } ?? binding.initializer.map { Syntax($0) })
        }
      case .functionDecl(let function): parts.append(Syntax(function.signature))
      case .initializerDecl(let initializer): parts.append(Syntax(initializer.signature))
      case .subscriptDecl(let node):
        parts += [Syntax(node.parameterClause), Syntax(node.returnClause)]
      case .enumCaseDecl(let declaration): parts.append(Syntax(declaration))
      default: continue
      }
    }
    return Set(
      parts.compactMap(\.self).flatMap { $0.tokens(viewMode: .sourceAccurate).map(\.unescaped) })
  }
}
