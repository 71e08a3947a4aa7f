internal import SwiftSyntax

/// The types, extensions and functions that observe any object, in all files.
struct ObjectWrappers {
  /// The use of the object of a variable or a parameter.
  enum Role { case observed, observer }

  private var ids: Set<SyntaxIdentifier> = []
  private var nodes: [ObjectIdentifier: [Syntax]] = [:]
  private var roles: [SyntaxIdentifier: Set<Role>] = [:]
  /// The names of wrappers and of their functions.
  private(set) var names: Set<String> = []
  /// The names of the types and global functions among them.
  private(set) var callees: Set<String> = []

  init(_ index: Index) {
    let flow = TokenFlow(index)
    for file in index.files {
      for call in file.nodes.calls {
        guard let observation = Observation(call), observation.kind != .publisher,
          case .anyObject = index.observedObject(of: call, observation, in: file),
          let wrapper = call.wrapper
        else { continue }
        add(wrapper, in: file, index)
        let observed = call.base.flatMap { flow.variable($0, file) }
        observed.map { _ = roles[$0.id, default: []].insert(.observed) }
        guard observation.kind != .typed, let observer = call.arguments.first?.expression else {
          continue
        }
        flow.variable(observer, file).map { _ = roles[$0.id, default: []].insert(.observer) }
      }
      for node in KeyPathStringPattern.wrappers(file, index) {
        node.wrapper.map { add($0, in: file, index) }
      }
    }
    addCallers(in: index)
    for file in index.files where nodes[ObjectIdentifier(file)] != nil {
      addAssigned(in: file, flow)
    }
  }

  /// Adds the types and functions that pass any object to a wrapper, which are wrappers as well.
  private mutating func addCallers(in index: Index) {
    var count = 0
    while count < ids.count {
      count = ids.count
      for file in index.files {
        for call in file.nodes.calls {
          guard let name = call.calledName, names.contains(name) || callees.contains(name),
            // An override changes with the function that it overrides.
            call.base?.is(SuperExprSyntax.self) != true,
            !contain(call), let wrapper = call.wrapper, wrapper.declaresOwn(in: index, file),
            let callee = index.callee(of: call, in: file), contain(callee.declaration)
          else { continue }
          let passesAny = call.arguments(for: callee.parameters).contains { parameter, value in
            guard parameter.takesAnyObject, value.is(DeclReferenceExprSyntax.self),
              case .framework(let type) = index.type(of: value, in: file)
            else { return false }
            return type.base == "NSObject" && value.trimmedDescription != "self"
              && !value.isOfGenericParameter(in: index, file)
          }
          if passesAny { add(wrapper, in: file, index) }
        }
      }
    }
  }

  private mutating func add(_ wrapper: Syntax, in file: SourceFile, _ index: Index) {
    guard ids.insert(wrapper.id).inserted else { return }
    nodes[ObjectIdentifier(file), default: []].append(wrapper)
    let name = wrapper.as(FunctionDeclSyntax.self)?.name.unescaped ?? wrapper.declaredTypeName
    guard let name = name?.split(separator: ".").last.map(String.init) else { return }
    // Subclasses of a framework's class are not about its extension.
    let isOwn =
      !wrapper.is(ExtensionDeclSyntax.self)
      || index.type(named: name, from: Scope(file: file, type: nil)) != nil
    if isOwn { callees.insert(name) }
    names.insert(name)
    for member in wrapper.asProtocol((any DeclGroupSyntax).self)?.memberBlock.members.flattened
      ?? []
    {
      member.as(FunctionDeclSyntax.self).map { _ = names.insert($0.name.unescaped) }
    }
  }

  /// Gives parameters the roles of the variables to which they are assigned.
  private mutating func addAssigned(in file: SourceFile, _ flow: TokenFlow) {
    for sequence in file.nodes.sequences where contain(sequence) {
      let elements = Array(sequence.elements)
      guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
        let target = flow.variable(elements[0], file), let roles = roles[target.id],
        let source = flow.variable(elements[2], file), source.is(FunctionParameterSyntax.self)
      else { continue }
      self.roles[source.id, default: []].formUnion(roles)
    }
  }

  func nodes(in file: SourceFile) -> [Syntax] { nodes[ObjectIdentifier(file)] ?? [] }

  func contain(_ node: some SyntaxProtocol) -> Bool {
    var current: Syntax? = Syntax(node)
    while let node = current {
      if ids.contains(node.id) { return true }
      current = node.parent
    }
    return false
  }

  /// The uses of the objects of a variable or a parameter.
  func roles(of declaration: some SyntaxProtocol) -> Set<Role> { roles[declaration.id] ?? [] }
}

extension Index {
  /// Whether the types in a declaration are those of a superclass, of a protocol, or of Cocoa's actions.
  func hasFixedTypes(_ declaration: DeclSyntax, in file: SourceFile) -> Bool {
    let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers
    let type = enclosingType(of: declaration, in: file)
    if modifiers?.contains(.override) == true {
      guard let (overridden, file) = type.flatMap({ self.overridden(declaration, of: $0) }) else {
        return true
      }
      return !objectWrappers.contain(overridden) || hasFixedTypes(overridden, in: file)
    }
    switch declaration.as(DeclSyntaxEnum.self) {
    case .functionDecl(let function):
      return function.attributes.contains(named: "IBAction")
        || selectors.contains(function.name.unescaped)
        || protocols(of: type).contains { $0.functions[function.fullName] != nil }
    case .variableDecl(let variable):
      let names = variable.bindings.compactMap(\.name)
      return declaration.container != nil
        && protocols(of: type).contains { candidate in
          names.contains { candidate.properties[$0] != nil }
        }
    default: return false
    }
  }

  /// The function or initializer of the nearest superclass in the sources that a declaration overrides.
  private func overridden(
    _ declaration: DeclSyntax, of type: TypeDeclaration
  ) -> (DeclSyntax, SourceFile)? {
    for superclass in superclasses(of: type) {
      if let function = declaration.as(FunctionDeclSyntax.self) {
        if let found = superclass.functions[function.fullName] {
          return (DeclSyntax(found), superclass.file)
        }
      } else if let initializer = declaration.as(InitializerDeclSyntax.self) {
        let labels = initializer.labels
        if let found = superclass.initializers.first(where: { $0.labels == labels }) {
          return (DeclSyntax(found), superclass.file)
        }
      }
    }
    return nil
  }
}

extension InitializerDeclSyntax {
  fileprivate var labels: [String] { signature.parameterClause.parameters.map(\.firstName.text) }
}

extension Syntax {
  /// Whether it is a function, a type of the sources, or an extension of one.
  fileprivate func declaresOwn(in index: Index, _ file: SourceFile) -> Bool {
    guard self.is(ExtensionDeclSyntax.self) else { return true }
    let name = declaredTypeName?.split(separator: ".").last.map(String.init)
    return name.flatMap { index.type(named: $0, from: Scope(file: file, type: nil)) } != nil
  }
}

extension ExprSyntax {
  /// Whether it is a parameter of a generic type, which says itself what it can be.
  fileprivate func isOfGenericParameter(in index: Index, _ file: SourceFile) -> Bool {
    guard let name = self.as(DeclReferenceExprSyntax.self)?.baseName.unescaped,
      case .parameter(let parameter) = localDeclaration(of: name)
    else { return false }
    return TypeName(parameter.type)?.name != "NSObject"
  }
}

extension SyntaxProtocol {
  /// The type, extension or function outside of types that contains a node.
  fileprivate var wrapper: Syntax? {
    var current = parent
    var function: Syntax?
    while let node = current {
      switch node.kind {
      case .classDecl, .structDecl, .enumDecl, .actorDecl, .extensionDecl, .protocolDecl:
        return node
      case .functionDecl: function = node
      default: break
      }
      current = node.parent
    }
    return function
  }
}
