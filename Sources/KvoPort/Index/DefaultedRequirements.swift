internal import SwiftSyntax

/// The optional functions of protocols that have a default result in a program without Objective-C.
struct DefaultedRequirements {
  private var functions: [String: [FunctionDeclSyntax]] = [:]

  init(_ files: [SourceFile]) {
    for function in files.flatMap(\.nodes.functions)
    where function.modifiers.contains(.optional) && function.defaultResult != nil {
      functions[function.name.unescaped, default: []].append(function)
    }
  }

  var names: [String] { functions.keys.sorted() }

  subscript(name: String) -> [FunctionDeclSyntax] { functions[name] ?? [] }
}

extension Index {
  /// The optional function with a default result that `object.name?(…)` calls.
  ///
  /// A variable may store a closure under the same name.
  func defaultedRequirement(
    of call: FunctionCallExprSyntax, _ member: MemberAccessExprSyntax, in file: SourceFile
  ) -> FunctionDeclSyntax? {
    let name = member.declName.baseName.unescaped
    let candidates = defaultedRequirements[name].filter(call.fits)
    guard let first = candidates.first, let base = member.base else { return nil }
    if let type = type(of: base, in: file).own {
      let protocols = ([type] + allProtocols(of: type)).map(\.node.id)
      let declared = candidates.first { candidate in
        candidate.container.map { protocols.contains($0.id) } ?? false
      }
      // The name of a composition is that of its first type.
      if declared != nil || type.kind != .protocol { return declared }
    }
    return classes(withProperty: name).isEmpty ? first : nil
  }

  /// The protocols of the sources to which a type conforms, with those that these inherit from.
  private func allProtocols(of type: TypeDeclaration) -> [TypeDeclaration] {
    var found: [TypeDeclaration] = []
    var new = ([type] + superclasses(of: type)).flatMap { protocols(of: $0) }
    while let next = new.popLast() {
      guard !found.contains(where: { $0 === next }) else { continue }
      found.append(next)
      new += protocols(of: next)
    }
    return found
  }
}

extension FunctionDeclSyntax {
  /// The default result of an optional requirement, as source text; nil if its type has none.
  ///
  /// Callers of a function that returns a `Bool` choose the default, with `??`.
  var defaultResult: String? {
    guard let type = signature.returnClause?.type else { return "" }
    if type.is(OptionalTypeSyntax.self) { return "nil" }
    return ["Void": "", "()": ""][type.trimmedDescription]
  }
}
