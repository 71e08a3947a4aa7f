internal import SwiftSyntax

extension Index {
  /// The names of the members that extensions of user defaults declare.
  func findDefaultsMembers() -> Set<String> {
    let extensions = files.flatMap(\.nodes.extensions).filter {
      TypeName($0.extendedType)?.base == "UserDefaults"
    }
    return Set(extensions.flatMap { $0.memberBlock.members.flattened.flatMap(\.declaredNames) })
  }
}

/// Which of Foundation's classes the sources observe.
struct FoundationUse {
  /// Members that a subclass of `ObservableOperation` cannot override.
  private static let finalMembers: Set<String> = [
    "isCancelled", "isExecuting", "isFinished", "start()",
  ]

  /// The first file of each module that observes user defaults.
  private(set) var defaultsFiles: [String: SourceFile] = [:]
  /// The modules that declare `UserDefaults` themselves.
  private var modulesWithAlias: Set<String> = []
  /// The classes that inherit from `Operation` and become `ObservableOperation`.
  private(set) var operations: [TypeDeclaration] = []

  init(_ index: Index) {
    var observed: [TypeDeclaration] = []
    var observesAnyOperation = false
    for file in index.files.sorted(by: { $0.path < $1.path }) {
      for alias in file.nodes.typeAliases where alias.name.text == "UserDefaults" {
        modulesWithAlias.insert(Self.module(of: file))
      }
      for node in file.nodes.extensions where TypeName(node.extendedType)?.base == "UserDefaults" {
        let isDynamic = node.memberBlock.members.flattened.contains {
          $0.as(VariableDeclSyntax.self)?.modifiers.contains(.dynamic) == true
        }
        if isDynamic { noteDefaults(file) }
      }
      for call in file.nodes.calls {
        guard let observation = Observation(call), observation.kind != .publisher else { continue }
        let receiver = index.receiver(of: call, in: file)
        if receiver.frameworkName == "UserDefaults" { noteDefaults(file) }
        guard let key = observation.keys.first, OperationKey(rawValue: key) != nil else { continue }
        if receiver.frameworkName == "Operation" { observesAnyOperation = true }
        if let type = receiver.own, index.isOperation(type) { observed.append(type) }
      }
    }
    index.loadOperations(observesAny: observesAnyOperation || !observed.isEmpty)
    operations = Self.operations(observed, observesAnyOperation, index)
  }

  private mutating func noteDefaults(_ file: SourceFile) {
    let module = Self.module(of: file)
    if defaultsFiles[module] == nil { defaultsFiles[module] = file }
  }

  /// The folder of a target of a package, or all files outside of one.
  static func module(of file: SourceFile) -> String { module(ofPath: file.path) }

  private static func module(ofPath path: String) -> String {
    let folders = path.split(separator: "/").dropLast()
    guard let sources = folders.lastIndex(where: { ["Sources", "Tests"].contains($0) }),
      sources + 1 < folders.count
    else { return "" }
    return folders[...(sources + 1)].joined(separator: "/")
  }

  /// Whether `UserDefaults` means the library's class in a file after the run.
  func replacesUserDefaults(in file: SourceFile) -> Bool { replacesUserDefaults(inPath: file.path) }

  func replacesUserDefaults(inPath path: String) -> Bool {
    let module = Self.module(ofPath: path)
    return modulesWithAlias.contains(module) || defaultsFiles[module] != nil
  }

  /// The files in whose modules the alias has to be declared.
  var filesWithoutAlias: [SourceFile] {
    defaultsFiles.filter { !modulesWithAlias.contains($0.key) }.map(\.value)
      .sorted { $0.path < $1.path }
  }

  private static func operations(
    _ observed: [TypeDeclaration], _ all: Bool, _ index: Index
  ) -> [TypeDeclaration] {
    let subclasses = index.types.filter { $0.kind == .class && index.isOperation($0) }
    return subclasses.filter { type in
      guard index.superclass(of: type) == nil, !type.isSkipped, !type.isLocal,
        type.inherited.first?.base == "Operation"
      else { return false }
      let family = subclasses.filter { member in
        member === type || index.superclasses(of: member).contains { $0 === type }
      }
      let isObserved =
        all
        || family.contains { member in
          observed.contains { $0 === member } || member.postsManually || member.hasDynamicProperty
        }
      return isObserved && !family.contains(where: Self.keepsItsOwnState)
    }
  }

  private static func keepsItsOwnState(_ type: TypeDeclaration) -> Bool {
    finalMembers.contains { type.functions[$0] != nil || type.properties[$0] != nil }
  }
}

extension DeclSyntax {
  /// The names that a member declares.
  fileprivate var declaredNames: [String] {
    if let variable = self.as(VariableDeclSyntax.self) {
      return variable.bindings.compactMap(\.name)
    }
    return self.as(FunctionDeclSyntax.self).map { [$0.name.unescaped] } ?? []
  }
}
