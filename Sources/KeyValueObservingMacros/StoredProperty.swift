import SwiftSyntax
import SwiftSyntaxMacros

/// A stored variable of an observable class: what its accessors and its storage are made from.
struct StoredProperty {
  let variable: VariableDeclSyntax
  let binding: PatternBindingSyntax
  let name: TokenSyntax
  let subject: SubjectClass

  /// Returns nil for anything but a single stored instance variable of a class.
  init?(_ declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext) {
    guard let variable = declaration.as(VariableDeclSyntax.self), !variable.isLet,
      !variable.isTypeProperty, variable.isStored,
      let binding = variable.bindings.first, variable.bindings.count == 1,
      let name = binding.name, let subject = SubjectClass(enclosingMemberIn: context)
    else { return nil }
    self.variable = variable
    self.binding = binding
    self.name = name
    self.subject = subject
  }

  var storageName: TokenSyntax { name.storageName }

  var isWeak: Bool { variable.modifiers.contains(.weak) }

  var isUnowned: Bool {
    variable.modifiers.contains { $0.name.tokenKind == .keyword(.unowned) }
  }

  /// Whether a subclass may override the property, so that its getter has the last word.
  ///
  /// One in the same file may do so where it is `fileprivate`.
  var isOverridable: Bool {
    !subject.isFinal && !variable.modifiers.contains(.final)
      && !variable.modifiers.contains(.private)
  }

  /// Whether mutating the value in place saves a copy: not for a number or a reference.
  ///
  /// Syntax does not distinguish a class reference from a structure; that costs code, not speed.
  var paysToModify: Bool {
    !isWeak && !isUnowned && !isScalar
  }

  private var isScalar: Bool {
    if let type = binding.typeAnnotation?.type { return type.isScalar }
    return binding.initializer?.value.isScalarLiteral == true
  }
}

extension TypeSyntax {
  fileprivate var isScalar: Bool {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.isScalar }
    return scalarNames.contains(baseName)
  }
}

private let scalarNames: Set<String> = [
  "Bool", "Double", "Float", "Float16", "Float80", "Int", "Int8", "Int16", "Int32", "Int64",
  "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
]
