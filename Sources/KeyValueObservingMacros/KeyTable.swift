import SwiftSyntax

/// The list of a class's own properties that `keyValueProperties()` returns.
struct KeyTable {
  private let subject: SubjectClass

  init(of subject: SubjectClass) {
    self.subject = subject
  }

  /// Whether the class has no properties of its own.
  var isEmpty: Bool { statements.isEmpty }

  /// The type that lists the deprecated properties, nil if there are none.
  ///
  /// Only in deprecated code may they be named without a warning, and only as what a protocol asks
  /// for may that be called without one.
  var deprecatedProperties: String? {
    let statements = statements(for: subject.declaration.memberBlock.members, deprecated: true)
    guard !statements.isEmpty else { return nil }
    let isolation = subject.isolation.map { "\($0) " } ?? ""
    let parameter = subject.isFinal ? "" : "<\(root): \(subject.name.text)>"
    return """
      private enum \(EmittedName.deprecatedProperties)\(parameter): \
      \(isolation)\(EmittedName.deprecatedPropertiesProtocol) {
        @available(*, deprecated)
        \(isolation)static func list() -> [\(EmittedName.propertyType)] {
          var properties: [\(EmittedName.propertyType)] = []
          \(statements.joined(separator: "\n").indented.indented)
          return properties
        }
      }
      """
  }

  /// The body of `keyValueProperties()`.
  ///
  /// The list is made one by one because an array literal cannot have `#if` inside and, with a
  /// hundred such calls, keeps the type checker busy for minutes.
  func body(overriding: Bool) -> String {
    let statements = statements
    guard !statements.isEmpty else { return "[]" }
    let type = "[\(EmittedName.propertyType)]"
    let list = """
      var properties: \(type) = []
      \(statements.joined(separator: "\n"))
      """
    let inherited = overriding ? "super.\(EmittedName.properties)() + " : ""
    if subject.isFinal { return "\(list)\nreturn \(inherited)properties" }
    let parameter = EmittedName.subjectParameter
    let function = EmittedName.propertyList
    return """
      func \(function)<\(parameter): \(subject.name.text)>(of _: \(parameter).Type) -> \(type) {
        \(list.indented)
        return properties
      }
      return \(inherited)\(function)(of: Self.self)
      """
  }

  /// The root of the key paths in the list.
  ///
  /// In a class with subclasses that is a generic parameter: a key path literal rooted at `Self`
  /// traps at run time (Swift 6.3), while one rooted at a generic parameter equals what a user
  /// writes for the class or any subclass.
  private var root: String {
    subject.isFinal ? subject.name.text : EmittedName.subjectParameter
  }

  private var statements: [String] {
    let statements = statements(
      for: subject.declaration.memberBlock.members, deprecated: false)
    let argument = subject.isFinal ? "" : "<\(root)>"
    let list = "\(EmittedName.deprecatedProperties)\(argument)"
    let deprecated = "\(list).\(EmittedName.append)(to: &properties)"
    return statements + (deprecatedProperties == nil ? [] : [deprecated])
      + [subject.trackerStatement(rootedAt: root)].compactMap(\.self)
  }

  /// One statement a property, inside the same conditions its declaration is in.
  private func statements(
    for members: MemberBlockItemListSyntax, deprecated: Bool
  ) -> [String] {
    members.flatMap { member -> [String] in
      if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        return statements(for: conditional, deprecated: deprecated)
      }
      guard let variable = member.decl.as(VariableDeclSyntax.self) else { return [] }
      let properties = ListedProperty.all(in: variable, of: subject)
      return properties.filter { $0.isDeprecated == deprecated }.map {
        $0.statement(rootedAt: root, of: subject)
      }
    }
  }

  private func statements(
    for conditional: IfConfigDeclSyntax, deprecated: Bool
  ) -> [String] {
    let clauses = conditional.clauses.map { clause in
      (
        [clause.poundKeyword.text, clause.condition?.trimmedDescription].compactMap(\.self),
        clause.elements?.as(MemberBlockItemListSyntax.self)
          .map { statements(for: $0, deprecated: deprecated) } ?? []
      )
    }
    guard clauses.contains(where: { !$0.1.isEmpty }) else { return [] }
    return clauses.flatMap { [$0.0.joined(separator: " ")] + $0.1 } + ["#endif"]
  }
}
