import SwiftSyntax
import SwiftSyntaxMacros

/// A class that is made observable, as its declaration spells it.
struct SubjectClass {
  let declaration: ClassDeclSyntax
  /// The enclosing declarations, the innermost first.
  let surroundings: [Syntax]

  /// Returns nil if the declaration is anything but a class.
  init?(_ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext) {
    guard let declaration = declaration.as(ClassDeclSyntax.self) else { return nil }
    self.declaration = declaration
    surroundings = context.lexicalContext
  }

  /// The class around a member that a macro is attached to.
  init?(enclosingMemberIn context: some MacroExpansionContext) {
    guard let declaration = context.lexicalContext.first?.as(ClassDeclSyntax.self) else {
      return nil
    }
    self.declaration = declaration
    surroundings = Array(context.lexicalContext.dropFirst())
  }

  private var enclosing: Syntax? { surroundings.first }

  var name: TokenSyntax { declaration.name.trimmed }

  /// Its name behind those of the types that it is declared in.
  var qualifiedName: String {
    let outer = surroundings.reversed().compactMap { surrounding in
      surrounding.asProtocol((any NamedDeclSyntax).self)?.name.unescapedName
        ?? surrounding.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
    }
    return (outer + [name.unescapedName]).joined(separator: ".")
  }

  /// An object that is known to be of the class: what a closure is given, unless it has a name.
  ///
  /// It is marked for modules that are checked for memory safety (`-strict-memory-safety`).
  func downcast(_ object: String = "$0") -> String {
    "(unsafe \(EmittedName.downcast)(\(object), to: \(name.text).self))"
  }

  var isFinal: Bool { declaration.modifiers.contains(.final) }

  /// Whether there may be a superclass or a subclass.
  var mayHaveRelatives: Bool { !isFinal || declaration.inheritanceClause != nil }

  /// The modifier `private` of a class that is declared inside of something else.
  var nestedPrivateModifier: DeclModifierSyntax? {
    if enclosing == nil { return nil }
    return declaration.modifiers.first { $0.name.tokenKind == .keyword(.private) }
  }

  /// Whether other modules see the class in code that is inlined into them.
  ///
  /// They have to see then what makes it conform.
  var isUsableFromInline: Bool { declaration.attributes.contains(named: "usableFromInline") }

  /// The access level reaching past the module: the class's own, or that of the extension it is in.
  var exportedAccess: Keyword? {
    let modifiers = declaration.modifiers
    if let access = modifiers.exportedAccess { return access }
    let restricting: [Keyword] = [.internal, .fileprivate, .private]
    guard !restricting.contains(where: modifiers.contains) else { return nil }
    return enclosing?.as(ExtensionDeclSyntax.self)?.modifiers.exportedAccess
  }

  /// The global actor of the class: an attribute that looks like one, or what the conformance says.
  var globalActor: AttributeSyntax? {
    declaration.attributes.globalActor ?? conformance?.as(AttributedTypeSyntax.self)?.globalActor
  }

  /// The isolation of the conformance, as far as the class itself declares it.
  ///
  /// `nonisolated` has to be repeated in modules whose default isolation is an actor.
  var isolation: String? {
    globalActor?.trimmedDescription
      ?? (declaration.modifiers.contains(.nonisolated) ? "nonisolated" : nil)
  }

  /// Whether code isolated as the class is may use the variable: it has no global actor of its own.
  func reaches(_ variable: VariableDeclSyntax) -> Bool {
    guard let actor = variable.attributes.globalActor else { return true }
    return actor.baseName == globalActor?.baseName
  }

  /// Whether the accessors of the variable may use the conformance, which is isolated as the class.
  func sharesIsolation(with variable: VariableDeclSyntax) -> Bool {
    let isNonisolated = variable.modifiers.contains { $0.name.tokenKind == .keyword(.nonisolated) }
    return reaches(variable) && !(isNonisolated && globalActor != nil)
  }

  /// The parameter pack among the generic parameters, if there is one.
  var parameterPack: GenericParameterSyntax? {
    declaration.genericParameterClause?.parameters
      .first { $0.specifier?.tokenKind == .keyword(.each) }
  }

  /// The superclass, if there is one: only the first of what a class inherits can be that.
  var superclassType: TypeSyntax? { declaration.inheritanceClause?.inheritedTypes.first?.type }

  /// Whether the class declares conformance to `KeyValueObservable` by hand.
  var declaresConformance: Bool { conformance != nil }

  private var conformance: TypeSyntax? { inherited(EmittedName.protocolName) }

  /// Whether the class declares conformance to `Observable` of the module `Observation`.
  ///
  /// A subclass cannot repeat the conformance, so it is not seen here.
  var declaresObservable: Bool { inherited("Observable") != nil }

  /// Whether the class may be `Observable`: it declares conformance, or a superclass may.
  var mayBeObservable: Bool { declaresObservable || maySubclassObservable }

  /// Whether the first of what a class inherits may be a class that is `Observable`.
  ///
  /// It is none if only a protocol can be written that way, or if it has the name of one that many
  /// classes conform to.
  private var maySubclassObservable: Bool {
    guard let type = superclassType else { return false }
    return !type.is(AttributedTypeSyntax.self) && !type.is(CompositionTypeSyntax.self)
      && !namesOfOthers.contains(type.baseName)
  }

  /// The attribute `@Observable`, whose accessors exclude ours.
  var observableMacroAttribute: AttributeSyntax? {
    declaration.attributes.first(named: "Observable")
  }

  private func inherited(_ name: String) -> TypeSyntax? {
    declaration.inheritanceClause?.inheritedTypes.lazy.flatMap { $0.type.composed }
      .first { $0.baseName == name }
  }

  /// All variables of the class body, also those under a condition.
  var variables: [VariableDeclSyntax] { variables(in: declaration.memberBlock.members) }

  private func variables(in members: MemberBlockItemListSyntax) -> [VariableDeclSyntax] {
    members.flatMap { member -> [VariableDeclSyntax] in
      if let variable = member.decl.as(VariableDeclSyntax.self) { return [variable] }
      let clauses = member.decl.as(IfConfigDeclSyntax.self).map { Array($0.clauses) } ?? []
      return clauses.compactMap { $0.elements?.as(MemberBlockItemListSyntax.self) }
        .flatMap(variables)
    }
  }

  /// The declarations of several variables in the class body.
  ///
  /// The compiler expands an attribute of such a declaration once for each variable, so that one error
  /// would be reported as often. Those under a condition are left out, since that may be false.
  var jointDeclarations: [VariableDeclSyntax] {
    declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
      .filter { $0.bindings.count > 1 || $0.bindings.contains { $0.name == nil } }
  }

  /// Whether the declaration, which another expansion was passed, is one of those.
  func declaresTogether(_ variable: VariableDeclSyntax) -> Bool {
    jointDeclarations.contains { $0.trimmedDescription == variable.trimmedDescription }
  }

  /// Whether the class body has a member of this name: then it is the user's, and not emitted.
  func declares(_ name: String) -> Bool {
    declaration.memberBlock.members.contains { member in
      if let function = member.decl.as(FunctionDeclSyntax.self) {
        return function.name.text == name
      }
      let variable = member.decl.as(VariableDeclSyntax.self)
      return variable?.bindings.contains { $0.name?.text == name } == true
    }
  }
}

private let namesOfOthers: Set<String> = [
  EmittedName.protocolName, "AnyObject", "Codable", "Comparable", "CustomStringConvertible",
  "Decodable", "Encodable", "Equatable", "Error", "Hashable", "Identifiable", "NSObject",
  "Sendable",
]
