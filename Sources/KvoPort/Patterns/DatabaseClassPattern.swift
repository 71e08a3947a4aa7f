internal import SwiftSyntax

/// Leaves alone the classes that a database implements, and warns of those that could be observed.
enum DatabaseClassPattern: Pattern {
  static func apply(to port: FilePort) {
    for node in port.nodes.types {
      guard let node = node.as(ClassDeclSyntax.self), let type = port.index.type(of: node),
        port.index.isManagedByDatabase(type)
      else { continue }
      let observes =
        type.hasDynamicProperty || type.postsManually || type.declaresKeys
        || type.functions[CocoaNames.observeValue] != nil
      if observes {
        port.warn(.databaseClass, at: node.name, Messages.databaseClass(type.name), isOwn: false)
      }
    }
  }
}
