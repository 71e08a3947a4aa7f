internal import SwiftSyntax

/// The wrappers of any object in a file that are rewritten.
struct Wrappers {
  private(set) var nodes: [Syntax]
  /// The positions where `NSObject` is hashed in types that would be wrappers, and are left alone.
  private(set) var hashed: [IdentifierTypeSyntax] = []

  init(_ file: SourceFile, _ index: Index, isRemoved: (Range<Int>) -> Bool) {
    nodes = index.objectWrappers.nodes(in: file)
    for node in file.nodes.typeNames
    where node.isHashedObject && contain(node) && !isRemoved(node.range) {
      hashed.append(node)
    }
    nodes.removeAll { wrapper in hashed.contains { wrapper.range.contains($0.start) } }
  }

  func contain(_ node: some SyntaxProtocol) -> Bool {
    nodes.contains { $0.position <= node.position && node.endPosition <= $0.endPosition }
  }
}

extension IdentifierTypeSyntax {
  /// Whether this is `NSObject` as the type of keys, or of the elements of a set.
  fileprivate var isHashedObject: Bool {
    guard name.text == "NSObject" else { return false }
    if let parent = parent?.as(DictionaryTypeSyntax.self) { return parent.key.id == id }
    let clause = parent?.parent?.parent?.as(GenericArgumentClauseSyntax.self)
    let generic =
      clause?.parent?.as(IdentifierTypeSyntax.self)?.name.text
      ?? clause?.parent?.as(GenericSpecializationExprSyntax.self)?.expression.trimmedDescription
    let isFirst = clause?.arguments.first?.id == parent?.id
    return isFirst
      && ["Dictionary", "NSHashTable", "NSMapTable", "Set"].contains(generic)
  }
}
