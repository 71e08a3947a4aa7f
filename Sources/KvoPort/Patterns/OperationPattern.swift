internal import SwiftSyntax

/// Lets operations whose state is observed inherit from `ObservableOperation`.
///
/// An operation that keeps its own state is annotated instead. It inherits from
/// `ObservableConcurrentOperation` if its readiness is observed, which Foundation changes.
enum OperationPattern: Pattern {
  static func apply(to port: FilePort) {
    for node in port.nodes.types {
      guard let node = node.as(ClassDeclSyntax.self), let type = port.index.type(of: node) else {
        continue
      }
      if let name = superclassName(of: type, port.index),
        let superclass = node.inheritanceClause?.inheritedTypes.first?.type
      {
        port.rewrite(.operation, at: superclass, [.replace(superclass.range, with: name)])
      }
      if port.index.isOperation(type), port.index.isToBeAnnotated(type),
        port.index.queueState(of: type)?.isIncomplete ?? true
      {
        warnOfDependentState(of: type, at: node.name, in: port)
      }
    }
  }

  /// The class of the library from which an operation inherits after the run.
  private static func superclassName(of type: TypeDeclaration, _ index: Index) -> String? {
    if index.foundationUse.operations.contains(where: { $0 === type }) {
      return "ObservableOperation"
    }
    let observesReadiness =
      type.properties["isReady"] != nil && index.observedKeys.contains("isReady")
    guard observesReadiness, type.inherited.first?.base == "Operation",
      index.superclass(of: type) == nil, index.isToBeAnnotated(type)
    else { return nil }
    return "ObservableConcurrentOperation"
  }

  /// A queue is not notified of state that only depends on another key.
  private static func warnOfDependentState(
    of type: TypeDeclaration, at name: TokenSyntax, in port: FilePort
  ) {
    let general = type.functions[CocoaNames.affectingValue]?.body?.description ?? ""
    let dependent = OperationKey.names.filter { key in
      type.dependencies(of: key) != nil || general.contains(key)
    }
    let states = dependent.filter { !type.postedKeys.contains($0) }
    if states.isEmpty { return }
    port.warn(.operation, at: name, Messages.dependentState(type.name, states))
  }
}
