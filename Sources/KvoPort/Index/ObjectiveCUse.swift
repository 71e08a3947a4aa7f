internal import SwiftSyntax

/// The names that code needs in Objective-C, but for observers.
struct ObjectiveCUse {
  /// The words of each file of Objective-C.
  private let words: [Set<String>]
  /// The keys of sort descriptors, and the words of predicates.
  private let keys: Set<String>
  /// The types of properties and functions that Objective-C knows.
  private let types: Set<String>

  init(_ index: Index, words: [Set<String>]) {
    self.words = words
    var (keys, types): (Set<String>, Set<String>) = ([], [])
    for file in index.files {
      for call in file.nodes.calls { keys.formUnion(Self.keys(in: call)) }
      for node in file.nodes.exposed(to: index) {
        for token in node.tokens(viewMode: .sourceAccurate) {
          if case .identifier(let name) = token.tokenKind { types.insert(name) }
        }
      }
    }
    (self.keys, self.types) = (keys, types)
  }

  private static func keys(in call: FunctionCallExprSyntax) -> [String] {
    guard let argument = call.arguments.first,
      let literal = argument.expression.as(StringLiteralExprSyntax.self)
    else { return [] }
    switch (call.calledName, argument.label?.text) {
    case ("NSSortDescriptor", "key"), ("NSPredicate", "format"):
      return literal.segments.trimmedDescription.words
    default: return []
    }
  }

  func names(_ type: String) -> Bool { types.contains(type) }

  /// Whether a sort descriptor, a predicate or a file of Objective-C that names one of some classes uses a
  /// property.
  func names(_ property: String, of classes: @autoclosure () -> [TypeDeclaration]) -> Bool {
    keys.contains(property) || isInFile([property, CocoaNames.setter(property)], of: classes())
  }

  /// Whether a file of Objective-C that names one of some classes calls a function.
  func names(
    _ function: FunctionDeclSyntax, of classes: @autoclosure () -> [TypeDeclaration]
  ) -> Bool {
    let name = function.name.unescaped
    let label = function.signature.parameterClause.parameters.first?.firstName.text ?? "_"
    let end = label.prefix(1).uppercased() + label.dropFirst()
    return isInFile([name, name + end, "\(name)With\(end)"], of: classes())
  }

  private func isInFile(
    _ names: [String], of classes: @autoclosure () -> [TypeDeclaration]
  ) -> Bool {
    let named = words.filter { !$0.isDisjoint(with: names) }
    if named.isEmpty { return false }
    let classNames = classes().flatMap { type in
      [type.name, type.attributes.first(named: "objc")?.objectiveCName].compactMap(\.self)
    }
    return named.contains { !$0.isDisjoint(with: classNames) }
  }
}

extension Index {
  /// Whether Objective-C may need an enumeration.
  func isUsedByObjectiveC(_ type: String) -> Bool { objectiveCUse.names(type) }

  /// Whether something but observers may need a property in Objective-C.
  func isUsedByObjectiveC(_ variable: VariableDeclSyntax, of type: TypeDeclaration?) -> Bool {
    let names = variable.bindings.compactMap(\.name)
    if names.contains(where: selectors.contains) { return true }
    if names.contains(where: { objectiveCUse.names($0, of: type.map(family) ?? []) }) {
      return true
    }
    let required = (type.map { $0.inherited + $0.addedConformances } ?? [])
      .compactMap { Frameworks.requirements[$0.base] }
    if names.contains(where: { name in required.contains { $0.contains(name) } }) { return true }
    return protocols(of: type).contains { candidate in
      candidate.node.as(ProtocolDeclSyntax.self)?.attributes.contains(named: "objc") == true
        && names.contains { candidate.properties[$0] != nil }
    }
  }
}

extension Index {
  /// Whether something but observers may need a member in Objective-C that only `@objcMembers` exposes.
  func needsAllMembers(of type: TypeDeclaration) -> Bool {
    let family = family(of: type)
    return family.contains { member in
      let needsFunction = member.overloads.values.joined().contains { function in
        !function.attributes.contains(named: "objc")
          && (selectors.contains(function.name.unescaped)
            || objectiveCUse.names(function, of: family))
      }
      return needsFunction
        || member.properties.values.contains { property in
          !property.declaration.attributes.contains(named: "objc")
            && isUsedByObjectiveC(property.declaration, of: member)
        }
    }
  }
}

extension SourceNodes {
  /// The types of properties and the signatures of functions that Objective-C knows.
  fileprivate func exposed(to index: Index) -> [Syntax] {
    let variables = self.variables.filter { variable in
      guard variable.attributes.expose else { return Syntax(variable).isRequirementOfObjectiveC }
      if variable.bindings.contains(where: { $0.name.map(index.selectors.contains) ?? false }) {
        return true
      }
      // Those of observed classes are none of Objective-C after the run.
      let type = variable.container.flatMap { index.type(of: $0) }
      return type.map { !$0.isAnnotated && !index.isToBeAnnotated($0) } ?? true
    }
    .flatMap(\.bindings)
    .compactMap { $0.typeAnnotation.map { Syntax($0) } ?? $0.initializer.map { Syntax($0) } }
    let functions = self.functions.filter {
      $0.attributes.expose || Syntax($0).isRequirementOfObjectiveC
    }
    .map { Syntax($0.signature) }
    let initializers = self.initializers.filter(\.attributes.expose).map { Syntax($0.signature) }
    return variables + functions + initializers
  }
}

extension AttributeListSyntax {
  fileprivate var expose: Bool {
    ["objc", "IBAction", "IBInspectable", "IBOutlet"].contains(where: contains)
  }
}

extension Syntax {
  fileprivate var isRequirementOfObjectiveC: Bool {
    container?.as(ProtocolDeclSyntax.self)?.attributes.contains(named: "objc") == true
  }
}

extension String {
  /// The names and other words of a text.
  var words: [String] {
    split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }
}
