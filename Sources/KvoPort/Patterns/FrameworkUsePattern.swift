internal import SwiftSyntax

/// Warns of what needs Apple's frameworks or the Objective-C runtime.
enum FrameworkUsePattern: Pattern {
  private static let associations: Set<String> = [
    "objc_getAssociatedObject", "objc_setAssociatedObject", "objc_removeAssociatedObjects",
  ]

  static func apply(to port: FilePort) {
    for call in port.nodes.calls {
      guard let token = call.calledNameToken else { continue }
      let name = token.unescaped
      let labels = call.labels
      if associations.contains(name) {
        port.warn(.associatedObject, at: token, Messages.associatedObject(name), isOwn: false)
      } else if name == "keyValueObservingExpectation" || name == "XCTKVOExpectation" {
        port.warn(.testExpectation, at: token, Messages.testExpectation(name), isOwn: false)
      } else if name == "bind", labels.prefix(3) == ["_", "to", "withKeyPath"] {
        port.warn(.binding, at: token, Messages.binding, isOwn: false)
      } else if name == "addObserver", labels.prefix(3) == ["_", "toObjectsAt", "forKeyPath"] {
        port.warn(.frameworkObject, at: token, Messages.observedElements, isOwn: false)
      }
    }
  }
}
