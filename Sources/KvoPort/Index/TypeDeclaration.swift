internal import SwiftSyntax

/// A type that the sources declare, with the members of its body and of its extensions.
final class TypeDeclaration {
  enum Kind { case actor, `class`, `enum`, `protocol`, `struct` }

  let kind: Kind
  /// The name without those of the types around it.
  let name: String
  /// The name with those of the types around it.
  let qualifiedName: String
  let file: SourceFile
  let node: Syntax
  /// The types of the inheritance clause.
  let inherited: [TypeName]
  /// Whether other files cannot use the name.
  let isPrivateToFile: Bool
  /// Whether a function declares it.
  let isLocal: Bool
  /// Whether a comment asks to leave it alone.
  let isSkipped: Bool

  enum Superclass {
    case unknown, beingFound
    case found(TypeDeclaration?)
  }

  /// How a queue is notified of the state of an operation, nil until it is looked up.
  var queueState: QueueState??
  /// The superclass, as far as it was looked up.
  var superclass = Superclass.unknown
  /// The conformances that extensions add.
  var addedConformances: [TypeName] = []
  var properties: [String: Property] = [:]
  /// The functions by their full names, such as `value(forKey:)`.
  var functions: [String: FunctionDeclSyntax] = [:]
  /// The functions by the names without labels, in the order of their declarations.
  var overloads: [String: [FunctionDeclSyntax]] = [:]
  var initializers: [InitializerDeclSyntax] = []
  var cases: Set<String> = []

  /// The keys of manual notifications.
  var postedKeys: Set<String> = []
  /// Whether it notifies manually.
  var postsManually = false
  /// Whether the key paths of observers lead through its properties.
  var ownsKeyPaths = false
  /// The keys that it declares as dependencies.
  var inputs: Set<String> = []
  /// The keys of manual notifications and dependencies of the type and of its subclasses.
  var notifiedKeys: Set<String> = []

  init(_ node: Syntax, in file: SourceFile, isSkipped: Bool) {
    self.node = node
    self.file = file
    self.isSkipped = isSkipped
    let group = node.asProtocol((any DeclGroupSyntax).self)
    (kind, name) = Self.identity(of: node)
    inherited = (group?.inheritanceClause?.inheritedTypes ?? []).compactMap { TypeName($0.type) }
    let around = node.enclosingTypeNames
    qualifiedName = (around + [name]).joined(separator: ".")
    isPrivateToFile = group.map { Self.isPrivate($0) } ?? false
    isLocal = node.isInFunction
  }

  private static func identity(of node: Syntax) -> (Kind, String) {
    switch node.as(SyntaxEnum.self) {
    case .classDecl(let node): (.class, node.name.unescaped)
    case .structDecl(let node): (.struct, node.name.unescaped)
    case .enumDecl(let node): (.enum, node.name.unescaped)
    case .actorDecl(let node): (.actor, node.name.unescaped)
    case .protocolDecl(let node): (.protocol, node.name.unescaped)
    default: (.struct, "")
    }
  }

  private static func isPrivate(_ group: any DeclGroupSyntax) -> Bool {
    group.modifiers.contains(.private) || group.modifiers.contains(.fileprivate)
  }

  var classNode: ClassDeclSyntax? { node.as(ClassDeclSyntax.self) }

  var attributes: AttributeListSyntax { classNode?.attributes ?? [] }

  var isAnnotated: Bool {
    attributes.contains(named: "KeyValueObservable")
      || (inherited + addedConformances).contains { $0.base == "KeyValueObservable" }
  }

  /// The members of the body, also those in an `#if`.
  var members: [DeclSyntax] {
    node.asProtocol((any DeclGroupSyntax).self)?.memberBlock.members.flattened ?? []
  }
}

extension MemberBlockItemListSyntax {
  /// The declarations, also those in an `#if`.
  var flattened: [DeclSyntax] {
    flatMap { item -> [DeclSyntax] in
      guard let condition = item.decl.as(IfConfigDeclSyntax.self) else { return [item.decl] }
      return condition.clauses.flatMap { clause -> [DeclSyntax] in
        guard case .decls(let members) = clause.elements else { return [] }
        return members.flattened
      }
    }
  }
}

extension SyntaxProtocol {
  /// The names of the types that contain a declaration, the outermost first.
  var enclosingTypeNames: [String] {
    var names: [String] = []
    var node = parent
    while let current = node {
      if let name = current.declaredTypeName { names.insert(name, at: 0) }
      node = current.parent
    }
    return names
  }

  /// Whether a function, an accessor or a closure contains it.
  var isInFunction: Bool {
    var node = parent
    while let current = node {
      switch current.kind {
      case .functionDecl, .initializerDecl, .deinitializerDecl, .accessorDecl, .closureExpr,
        .subscriptDecl, .accessorBlock:
        return true
      default: node = current.parent
      }
    }
    return false
  }
}

extension Syntax {
  /// The name of the type that a node declares or extends.
  var declaredTypeName: String? {
    switch self.as(SyntaxEnum.self) {
    case .classDecl(let node): node.name.unescaped
    case .structDecl(let node): node.name.unescaped
    case .enumDecl(let node): node.name.unescaped
    case .actorDecl(let node): node.name.unescaped
    case .protocolDecl(let node): node.name.unescaped
    case .extensionDecl(let node): TypeName(node.extendedType)?.name
    default: nil
    }
  }
}

extension FunctionDeclSyntax {
  /// The name with the labels, as in `value(forKey:)`.
  var fullName: String {
    let labels = signature.parameterClause.parameters.map { $0.firstName.unescaped + ":" }
    return "\(name.unescaped)(\(labels.joined()))"
  }
}
