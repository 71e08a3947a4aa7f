internal import SwiftSyntax

/// Annotates classes whose properties are observed.
enum ObservedClassPattern: Pattern {
  static func apply(to port: FilePort) {
    for node in port.nodes.types {
      guard let node = node.as(ClassDeclSyntax.self), let type = port.index.type(of: node) else {
        continue
      }
      if port.index.isToBeAnnotated(type) {
        annotate(node, type, in: port)
      } else if type.isLocal, type.hasDynamicProperty || type.postsManually {
        port.warn(.localClass, at: node.name, Messages.localClass(type.name))
      } else if type.isAnnotated {
        port.leave(.observedClass, at: node.name)
      }
    }
  }

  private static func annotate(
    _ node: ClassDeclSyntax, _ type: TypeDeclaration, in port: FilePort
  ) {
    let annotation = annotation(of: type, port.index)
    var edits = [port.lineBefore(node, annotation)]
    edits += WidenedAccess(node, in: port.file).edits
    if let attribute = node.attributes.first(named: "objcMembers"),
      port.options.platforms == .linux || !port.index.needsAllMembers(of: type)
    {
      edits += port.removals(of: [attribute])
      if attribute.start == node.start, port.file.beginsLine(at: attribute.start) {
        edits = replacing(attribute, with: annotation, in: port) + edits.dropFirst().dropLast()
      }
    }
    port.rewrite(.observedClass, at: node.name, edits)
  }

  /// The attribute, with the actor if the class inherits that, which the macro does not see.
  private static func annotation(of type: TypeDeclaration, _ index: Index) -> String {
    let inheritsActor =
      index.isOnMainActor(type) && !type.attributes.contains(named: "MainActor")
      && type.classNode?.modifiers.contains(.nonisolated) != true
    return inheritsActor ? "@MainActor @KeyValueObservable" : "@KeyValueObservable"
  }

  /// The annotation takes the place of the attribute, so that no line is left empty.
  private static func replacing(
    _ attribute: AttributeSyntax, with annotation: String, in port: FilePort
  ) -> [Edit] {
    let next = port.file.bytes[attribute.end...].first { !$0.isSpaceOrTab }
    let isAlone = next.map(\.isLineEnd) ?? true
    var end = attribute.end
    while !isAlone, port.file.bytes[end].isSpaceOrTab { end += 1 }
    let ending = isAlone ? "" : port.file.lineEnding + port.file.indentation(at: attribute.start)
    return [.replace(attribute.start..<end, with: annotation + ending)]
  }
}
