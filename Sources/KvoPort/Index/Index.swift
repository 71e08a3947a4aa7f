internal import SwiftSyntax

/// The declarations of all files of a program.
final class Index {
  private(set) var files: [SourceFile] = []
  private(set) var types: [TypeDeclaration] = []
  private var typesByName: [String: [TypeDeclaration]] = [:]
  private var typesByNode: [SyntaxIdentifier: TypeDeclaration] = [:]
  private var typeAliases: [String: [(name: TypeName, file: SourceFile)]] = [:]
  private var globals: [String: [(binding: PatternBindingSyntax, file: SourceFile)]] = [:]
  private(set) var freeFunctions: [String: [(node: FunctionDeclSyntax, file: SourceFile)]] = [:]
  /// The names in `#selector(…)`.
  private(set) var selectors: Set<String> = []
  /// The keys that observers name.
  private(set) lazy var observedKeys = Set(
    files.flatMap(\.nodes.calls).compactMap { Observation($0) }.flatMap(\.keys))
  /// The optional functions of protocols that have a default result.
  private(set) lazy var defaultedRequirements = DefaultedRequirements(files)
  /// The properties that notify in Cocoa, by the names of their types.
  private var dynamicKeys: [String: Set<String>] = [:]
  /// The names that Objective-C needs.
  private(set) lazy var objectiveCUse = ObjectiveCUse(self, words: objectiveCWords)
  /// The names that a property of any class has, with their classes.
  private var classesByProperty: [String: [TypeDeclaration]] = [:]
  /// The variables that store tokens.
  private(set) lazy var tokenTargets = TokenTargets(self)
  /// The types and functions that observe any object.
  private(set) lazy var objectWrappers = ObjectWrappers(self)
  /// How the sources use `UserDefaults` and operations.
  private(set) lazy var foundationUse = FoundationUse(self)
  /// The names of the members that extensions of user defaults declare.
  private(set) lazy var defaultsMembers = findDefaultsMembers()

  /// The expressions whose type is being found.
  private var unresolved: Set<SyntaxIdentifier> = []
  private let library: SourceLibrary
  private var requestedNames: Set<String> = []
  /// Extensions of types that were not looked up.
  private var waitingExtensions: [String: [(ExtensionDeclSyntax, SourceFile)]] = [:]

  private let objectiveCWords: [Set<String>]

  init(_ library: SourceLibrary, objectiveCWords: [Set<String>] = []) {
    self.library = library
    self.objectiveCWords = objectiveCWords
    let files = library.files.filter(\.parses)
    add(files)
    for type in types { addInputs(of: type) }
    for file in files { addNotifications(of: file) }
    for file in files { addKeyPathOwners(of: file) }
    for type in types {
      for owner in [type] + superclasses(of: type) {
        owner.notifiedKeys.formUnion(type.postedKeys.union(type.inputs))
      }
    }
    for file in files { addDynamicTypes(of: file) }
    // An enumeration of Objective-C may lie in a file of its own.
    for name in dynamicKeys.keys.sorted() { load(name) }
    loadUsesOfObjectiveC()
    // And so may a variable that stores a token.
    _ = (tokenTargets, foundationUse)
    // Subclasses of wrappers and their callers have to fit to them.
    let wrappers = objectWrappers.callees
    loadSubclasses(of: wrappers) { type in
      superclasses(of: type).contains { wrappers.contains($0.name) }
    }
    add(library.load(naming: wrappers))
    let use = foundationUse
    add(library.load(naming: ["UserDefaults"]) { use.replacesUserDefaults(inPath: $0.path) })
    if library.isForLinux {
      // Those that call an optional function, as in `delegate?.changed?()`.
      add(library.load(naming: defaultedRequirements.names, before: UInt8(ascii: "?")))
    }
  }

  /// Adds the files that may need an enumeration or a member of a class in Objective-C.
  private func loadUsesOfObjectiveC() {
    let enumerations = types.filter { type in
      hasDynamicProperty(of: type.name)
        && type.node.as(EnumDeclSyntax.self)?.attributes.contains(named: "objc") == true
    }
    add(library.load(naming: enumerations.map(\.name)))
    if library.isForLinux { return }
    if types.contains(where: \.hasDynamicProperty) {
      add(library.load(naming: ["NSPredicate", "NSSortDescriptor"]))
      selectors.formUnion(library.selectors)
    }
    let exposing = types.filter {
      $0.attributes.contains(named: "objcMembers") && isToBeAnnotated($0)
    }
    for type in exposing { load(type.name) }
    loadSubclasses(of: Set(exposing.map(\.name))) { type in
      superclasses(of: type).contains { $0.attributes.contains(named: "objcMembers") }
    }
  }

  private func add(_ new: [SourceFile]) {
    files += new
    let count = types.count
    for file in new { addTypes(of: file) }
    for file in new { addMembers(of: file) }
    for name in Set(types[count...].map(\.name)).sorted() {
      for (node, file) in waitingExtensions.removeValue(forKey: name) ?? [] { add(node, of: file) }
    }
    for file in new { addRest(of: file) }
  }

  /// Adds the files that declare or extend a type, when it is looked up for the first time.
  private func load(_ name: String) {
    guard requestedNames.insert(name).inserted else { return }
    let new = library.load(name)
    if !new.isEmpty { add(new) }
  }

  /// Adds the files that may call a function whose result is a token, or pass it one.
  func loadCallers(of function: String) {
    let type = WordSet(["NSObjectProtocol"])
    add(library.load(naming: [function]) { $0.contains(type) })
  }

  /// Adds the files with subclasses of operations, which decide what the superclass may be.
  func loadOperations(observesAny: Bool) {
    let known = types.filter(isOperation)
    guard observesAny || known.contains(where: { $0.postsManually || $0.hasDynamicProperty }) else {
      return
    }
    loadSubclasses(of: Set(known.map(\.name)).union(Frameworks.operations), where: isOperation)
  }

  /// Adds the files with subclasses of some classes, and with those of their subclasses.
  private func loadSubclasses(of names: Set<String>, where isMeant: (TypeDeclaration) -> Bool) {
    var (known, new) = (names, names)
    while !new.isEmpty {
      add(library.load(inheriting: new))
      new = Set(types.filter(isMeant).map(\.name)).subtracting(known)
      known.formUnion(new)
    }
  }

  private func addTypes(of file: SourceFile) {
    let nodes = file.nodes.types.map { ($0, false) } + file.nodes.skippedTypes.map { ($0, true) }
    for (node, isSkipped) in nodes {
      let type = TypeDeclaration(node, in: file, isSkipped: isSkipped)
      types.append(type)
      typesByName[type.name, default: []].append(type)
      typesByNode[node.id] = type
    }
    for alias in file.nodes.typeAliases {
      guard let name = TypeName(alias.initializer.value) else { continue }
      typeAliases[alias.name.unescaped, default: []].append((name, file))
    }
  }

  private func addMembers(of file: SourceFile) {
    for node in file.nodes.types + file.nodes.skippedTypes {
      type(of: node).map { add($0.members, to: $0, inExtension: false) }
    }
    for node in file.nodes.extensions { add(node, of: file) }
  }

  /// Adds the members of an extension, once its type is looked up.
  private func add(_ node: ExtensionDeclSyntax, of file: SourceFile) {
    guard let name = TypeName(node.extendedType) else { return }
    guard let type = known(name.name, from: Scope(file: file, type: nil)) else {
      waitingExtensions[name.base, default: []].append((node, file))
      return
    }
    add(node.memberBlock.members.flattened, to: type, inExtension: true, file: file)
    type.addedConformances +=
      (node.inheritanceClause?.inheritedTypes ?? []).compactMap { TypeName($0.type) }
  }

  private func add(
    _ members: [DeclSyntax], to type: TypeDeclaration, inExtension: Bool, file: SourceFile? = nil
  ) {
    let file = file ?? type.file
    for member in members where !file.skips.contains(member) {
      switch member.as(DeclSyntaxEnum.self) {
      case .variableDecl(let variable):
        for binding in variable.bindings {
          guard let name = binding.name else { continue }
          let property = Property(
            name: name, declaration: variable, binding: binding, file: file,
            isInExtension: inExtension)
          // A property of the type may have the name of one of its objects.
          if property.isOfType, type.properties[name]?.isOfType == false { continue }
          type.properties[name] = property
          if type.kind == .class { classesByProperty[name, default: []].append(type) }
        }
      case .functionDecl(let function):
        type.functions[function.fullName] = function
        type.overloads[function.name.unescaped, default: []].append(function)
      case .initializerDecl(let initializer): type.initializers.append(initializer)
      case .enumCaseDecl(let declaration):
        for element in declaration.elements { type.cases.insert(element.name.unescaped) }
      default: continue
      }
    }
  }

  private func addRest(of file: SourceFile) {
    for variable in file.nodes.variables
    where variable.parent?.parent?.parent?.is(SourceFileSyntax.self) == true {
      for binding in variable.bindings {
        binding.name.map { globals[$0, default: []].append((binding, file)) }
      }
    }
    for function in file.nodes.functions
    where function.parent?.parent?.parent?.is(SourceFileSyntax.self) == true {
      freeFunctions[function.name.unescaped, default: []].append((function, file))
    }
    for macro in file.nodes.macros where macro.macroName.text == "selector" {
      for token in macro.arguments.tokens(viewMode: .sourceAccurate) {
        if case .identifier = token.tokenKind { selectors.insert(token.unescaped) }
      }
    }
  }

  /// Whether a property of a type notifies in Cocoa.
  func hasDynamicProperty(of type: String) -> Bool { dynamicKeys[type] != nil }

  /// An enumeration whose values observers of some keys receive in change dictionaries.
  func observedEnumeration(of keys: Set<String>) -> TypeDeclaration? {
    types.first { $0.kind == .enum && !keys.isDisjoint(with: dynamicKeys[$0.name] ?? []) }
  }

  private func addDynamicTypes(of file: SourceFile) {
    for variable in file.nodes.variables where variable.modifiers.contains(.dynamic) {
      for binding in variable.bindings {
        let type =
          binding.typeAnnotation.flatMap { TypeName($0.type) }
          ?? binding.initializer.flatMap { scopedType(of: $0.value, in: file)?.name }
        guard let type, let key = binding.name else { continue }
        dynamicKeys[type.base, default: []].insert(key)
      }
    }
  }

  /// Adds the keys that the functions for dependent keys name.
  private func addInputs(of type: TypeDeclaration) {
    for declaration in type.dependencies {
      type.inputs.formUnion(Keys.named(in: declaration.body))
    }
  }

  private func addNotifications(of file: SourceFile) {
    for call in file.nodes.calls {
      guard let notification = ManualNotification(call),
        case .own(let type) = receiver(of: call, in: file)
      else { continue }
      type.postsManually = true
      notification.key.map { _ = type.postedKeys.insert($0) }
    }
  }

  /// The type that a node declares.
  func type(of node: some SyntaxProtocol) -> TypeDeclaration? { typesByNode[node.id] }

  /// The classes that have a property of a name.
  func classes(withProperty name: String) -> [TypeDeclaration] { classesByProperty[name] ?? [] }

  func global(_ name: String, from file: SourceFile) -> (PatternBindingSyntax, SourceFile)? {
    load(name)
    return loadedGlobal(name, from: file)
  }

  private func loadedGlobal(
    _ name: String, from file: SourceFile
  ) -> (PatternBindingSyntax, SourceFile)? {
    nearest(globals[name] ?? [], to: file, \.file).map { ($0.binding, $0.file) }
  }

  func typeAlias(_ name: String, from file: SourceFile) -> TypeName? {
    let candidates = (typeAliases[name] ?? []).filter { candidate in
      // That of another module would hide the class of Foundation, which this one uses.
      name != "UserDefaults"
        || FoundationUse.module(of: candidate.file) == FoundationUse.module(of: file)
    }
    return nearest(candidates, to: file, \.file)?.name
  }

  /// Finds the type of an expression, unless that depends on itself, or on too many others for the stack.
  func resolve(_ expression: ExprSyntax, _ find: () -> ScopedType?) -> ScopedType? {
    guard unresolved.count < 200, unresolved.insert(expression.id).inserted else { return nil }
    defer { unresolved.remove(expression.id) }
    return find()
  }

  // MARK: Names of types

  /// The declaration that a name means at a position, nil for a type of a framework.
  ///
  /// Of several declarations, that of the same file is preferred, then that of the nearest folder.
  func type(named name: String, from scope: Scope) -> TypeDeclaration? {
    load(name.split(separator: ".").last.map(String.init) ?? name)
    return known(name, from: scope)
  }

  /// The declaration among those that were looked up.
  private func known(_ name: String, from scope: Scope) -> TypeDeclaration? {
    var name = name
    var names: Set<String> = []
    // Aliases in the branches of an `#if` may name each other.
    while names.insert(name).inserted {
      let components = name.split(separator: ".").map(String.init)
      if let last = components.last, let candidates = typesByName[last] {
        return nearest(candidates, as: components, from: scope)
      }
      guard let alias = typeAlias(name, from: scope.file) else { return nil }
      load(alias.base)
      name = alias.name
    }
    return nil
  }

  private func nearest(
    _ candidates: [TypeDeclaration], as components: [String], from scope: Scope
  ) -> TypeDeclaration? {
    let visible = candidates.filter { isVisible($0, as: components, from: scope) }
    let nested = visible.filter { candidate in
      scope.type.map { candidate.qualifiedName.hasPrefix($0.qualifiedName + ".") } ?? false
    }
    return nearest(nested.isEmpty ? visible : nested, to: scope.file, \.file)
  }

  private func isVisible(
    _ type: TypeDeclaration, as components: [String], from scope: Scope
  ) -> Bool {
    if type.file !== scope.file, type.isPrivateToFile || type.isLocal { return false }
    let qualified = type.qualifiedName.split(separator: ".").map(String.init)
    if qualified.count <= components.count {
      // A module name may precede it.
      guard Array(components.suffix(qualified.count)) == qualified else { return false }
      return components.count == qualified.count || !Frameworks.modules.contains(components[0])
    }
    guard Array(qualified.suffix(components.count)) == components else { return false }
    let around = qualified.dropLast(components.count).joined(separator: ".")
    for current in scope.type.map({ [$0] + superclasses(of: $0) }) ?? [] {
      if current.qualifiedName == around || current.qualifiedName.hasPrefix(around + ".") {
        return true
      }
      if current.file === scope.file, current.isLocal { return true }
    }
    return type.isLocal && type.file === scope.file
  }

  private func nearest<Element>(
    _ elements: [Element], to file: SourceFile, _ fileOf: (Element) -> SourceFile
  ) -> Element? {
    if elements.count < 2 { return elements.first }
    if let same = elements.first(where: { fileOf($0) === file }) { return same }
    func distance(_ other: SourceFile) -> Int {
      -zip(file.folders, other.folders).prefix { $0 == $1 }.count
    }
    return elements.min { distance(fileOf($0)) < distance(fileOf($1)) }
  }
}

/// A position in the sources, from which names are looked up.
struct Scope {
  let file: SourceFile
  /// The innermost type around the position.
  let type: TypeDeclaration?
}
