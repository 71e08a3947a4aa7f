internal import SwiftSyntax

/// Replaces `_kvcKeyPathString`, a part of Apple's Foundation that is not public.
enum KeyPathStringPattern: Pattern {
  static func apply(to port: FilePort) {
    for node in port.nodes.memberAccesses
    where node.declName.baseName.text == "_kvcKeyPathString" {
      guard let base = node.base, let root = root(of: base, in: port) else {
        port.warn(.keyPathString, at: node.declName, Messages.keyPathString)
        continue
      }
      let keyPath = port.file.text(base.withoutParentheses.range)
      port.rewrite(
        .keyPathString, at: node.declName,
        [.replace(node.range, with: "\(root).key(for: \(keyPath))")])
    }
  }

  /// The generic parameters, constrained to `NSObject`, in which key paths begin.
  static func wrappers(_ file: SourceFile, _ index: Index) -> [MemberAccessExprSyntax] {
    file.nodes.memberAccesses.filter { node in
      guard node.declName.baseName.text == "_kvcKeyPathString", let base = node.base,
        let type = index.scopedType(of: base, in: file),
        let root = type.name.arguments.first
      else { return false }
      return base.genericConstraint(of: root.name)?.base == "NSObject"
    }
  }

  /// The observable class in which a key path begins.
  private static func root(of keyPath: ExprSyntax, in port: FilePort) -> String? {
    let scope = port.index.scope(at: keyPath, in: port.file)
    let name: TypeName
    if let literal = keyPath.withoutParentheses.as(KeyPathExprSyntax.self) {
      guard let root = literal.root.flatMap({ TypeName($0) }) else { return nil }
      name = root
    } else {
      guard let type = port.index.scopedType(of: keyPath, in: port.file),
        type.name.base.hasSuffix("KeyPath"), let root = type.name.arguments.first
      else { return nil }
      name = root
    }
    if name.name == "Self" { return "Self" }
    if let constraint = keyPath.genericConstraint(of: name.name) {
      return ["NSObject", "KeyValueObservable"].contains(constraint.base) ? name.name : nil
    }
    guard let own = port.index.type(named: name.name, from: scope), port.index.isObservable(own)
    else {
      return nil
    }
    return name.name
  }
}

extension ExprSyntax {
  fileprivate var withoutParentheses: ExprSyntax {
    guard let tuple = self.as(TupleExprSyntax.self), tuple.elements.count == 1,
      let only = tuple.elements.first, only.label == nil
    else { return self }
    return only.expression.withoutParentheses
  }
}
