internal import SwiftSyntax

/// Removes all words of Objective-C, for a program that is built on Linux only.
enum ObjectiveCAttributePattern: Pattern {
  static func apply(to port: FilePort) {
    guard port.options.platforms == .linux else { return }
    for attribute in port.nodes.attributes
    where ["objc", "objcMembers", "nonobjc"].contains(attribute.baseName) {
      remove(attribute, in: port)
    }
    for modifier in port.nodes.modifiers where modifier.name.tokenKind == .keyword(.dynamic) {
      remove(modifier, in: port)
    }
    for call in port.nodes.calls { self.call(call, in: port) }
    for node in port.nodes.types {
      guard let node = node.as(ProtocolDeclSyntax.self), node.attributes.contains(named: "objc")
      else {
        continue
      }
      addClassConstraint(node, in: port)
      OptionalRequirements(node, in: port).apply()
    }
  }

  /// Only classes conform to a protocol of Objective-C, so that a reference to one may be weak.
  private static func addClassConstraint(_ node: ProtocolDeclSyntax, in port: FilePort) {
    let inherited = Array(node.inheritanceClause?.inheritedTypes ?? [])
    guard !inherited.contains(where: { isOfClasses($0.type, in: port) }) else { return }
    let edit: Edit
    if let last = inherited.last {
      edit = .insert(", AnyObject", at: last.end)
    } else {
      edit = .insert(": AnyObject", at: node.primaryAssociatedTypeClause?.end ?? node.name.end)
    }
    port.rewrite(.objectiveCAttribute, at: node.name, [edit], usesLibrary: false)
  }

  private static func isOfClasses(_ type: TypeSyntax, in port: FilePort) -> Bool {
    guard let name = TypeName(type) else { return type.is(ClassRestrictionTypeSyntax.self) }
    if ["AnyObject", "NSObjectProtocol"].contains(name.base) { return true }
    let own = port.index.type(named: name.name, from: Scope(file: port.file, type: nil))
    if own?.kind == .class { return true }
    guard let node = own?.node.as(ProtocolDeclSyntax.self) else { return false }
    return node.attributes.contains(named: "objc")
      || node.inheritanceClause?.inheritedTypes.contains { isOfClasses($0.type, in: port) } == true
  }

  /// A requirement with a default is called without a question mark.
  private static func call(_ call: FunctionCallExprSyntax, in port: FilePort) {
    guard let chain = call.calledExpression.as(OptionalChainingExprSyntax.self),
      let member = chain.expression.as(MemberAccessExprSyntax.self),
      let requirement = port.index.defaultedRequirement(of: call, member, in: port.file)
    else { return }
    if requirement.defaultResult == "", call.isResultUsed {
      let name = member.declName.baseName.unescaped
      return port.warn(
        .objectiveCAttribute, at: member.declName, Messages.optionalCall(name))
    }
    port.rewrite(
      .objectiveCAttribute, at: member.declName, [.remove(chain.questionMark.range)],
      usesLibrary: false)
  }

  private static func remove(_ node: some SyntaxProtocol, in port: FilePort) {
    let type =
      port.index.enclosingType(of: node, in: port.file)
      ?? node.parent?.parent.flatMap { port.index.type(of: $0) }
    if let type, port.index.isManagedByDatabase(type) { return }
    guard !port.isRemoved(node.range) else { return }
    port.rewrite(.objectiveCAttribute, at: node, port.removals(of: [node]), usesLibrary: false)
  }
}

/// Makes `optional` members of a protocol requirements with a default.
private struct OptionalRequirements {
  private let node: ProtocolDeclSyntax
  private let port: FilePort

  init(_ node: ProtocolDeclSyntax, in port: FilePort) {
    self.node = node
    self.port = port
  }

  func apply() {
    var defaults: [String] = []
    var modifiers: [DeclModifierSyntax] = []
    for member in node.memberBlock.members.flattened where !port.file.skips.contains(member) {
      guard let function = member.as(FunctionDeclSyntax.self),
        let modifier = function.modifiers.first(.optional), let value = function.defaultResult
      else {
        warn(of: member)
        continue
      }
      modifiers.append(modifier)
      defaults.append("\(head(of: function)) {\(value.isEmpty ? "" : " \(value) ")}")
    }
    let line = port.file.lineEnding
    let unit = port.file.indentation(at: node.memberBlock.members.first?.start ?? 0)
    let members = defaults.map { line + (unit.isEmpty ? "  " : unit) + $0 }.joined()
    let access = node.modifiers.contains(.public) ? "public " : ""
    let extensionText = "\(line)\(line)\(access)extension \(node.name.text) {\(members)\(line)}"
    for (index, modifier) in modifiers.enumerated() {
      let addition = index == 0 ? [Edit.insert(extensionText, at: node.end)] : []
      port.rewrite(
        .objectiveCAttribute, at: modifier, port.removals(of: [modifier]) + addition,
        usesLibrary: false)
    }
  }

  /// The function without its words of Objective-C.
  private func head(of function: FunctionDeclSyntax) -> String {
    let attributes = function.attributes.all.filter { !["objc", "nonobjc"].contains($0.baseName) }
    let modifiers = function.modifiers.filter { $0.name.tokenKind != .keyword(.optional) }
    let words = attributes.map(\.trimmedDescription) + modifiers.map(\.trimmedDescription)
    let rest = port.file.text(function.funcKeyword.start..<function.end)
    return (words + [rest]).joined(separator: " ")
  }

  private func warn(of member: DeclSyntax) {
    let modifiers =
      member.as(VariableDeclSyntax.self)?.modifiers
      ?? member.as(FunctionDeclSyntax.self)?.modifiers
    guard let modifier = modifiers?.first(.optional) else { return }
    port.warn(.objectiveCAttribute, at: modifier, Messages.optionalRequirement)
  }
}

extension FunctionCallExprSyntax {
  /// Whether more is done with the result than to discard it.
  fileprivate var isResultUsed: Bool {
    var node = Syntax(self)
    while let parent = node.parent, [.tryExpr, .awaitExpr].contains(parent.kind) { node = parent }
    if let list = node.parent?.as(ExprListSyntax.self) {
      return list.first?.is(DiscardAssignmentExprSyntax.self) != true
    }
    return node.parent?.is(CodeBlockItemSyntax.self) != true
  }
}
