import SwiftSyntax

// Members of a class that declares conformance to `Observable` of the module `Observation`.
//
// Its own accessors notify the registrar of that module. Those of a subclass, whose macro does not
// see the conformance, call a function: the one below, or, if no superclass is `Observable`, one of
// the library that is compiled to nothing. The engine calls the function too, for changes that no
// accessor makes.
extension SubjectClass {
  var observationRegistrarDeclaration: String? {
    guard declaresObservable else { return nil }
    let name = EmittedName.observationRegistrar
    return "private let \(name) = \(EmittedName.observationRegistrarType)()"
  }

  var observationDeclaration: String? {
    guard declaresObservable else { return nil }
    let registrar = EmittedName.observationRegistrar
    let root = EmittedName.subjectParameter
    let value = EmittedName.valueParameter
    let modifiers = [memberAccess, isFinal ? nil : .final]
    return """
      \(modifiers.spelled)func \(EmittedName.observation)<\(root): \(name.text), \(value)>(
        _ event: \(EmittedName.observationEvent), of subject: \(root),
        at keyPath: @autoclosure () -> \(EmittedName.keyPath)<\(root), \(value)>,
        target: @autoclosure () -> Swift.AnyObject? = nil
      ) {
        let keyPath = keyPath()
        switch event {
        case .access:
          \(registrar).access(subject, keyPath: keyPath)
          if let target = target() {
            subject._$track(target: target, at: keyPath)
          }
        case .willSet:
          \(registrar).willSet(subject, keyPath: keyPath)
        case .didSet:
          \(registrar).didSet(subject, keyPath: keyPath)
        }
      }
      """
  }

  /// The statement that adds the function to the list `properties`, with key paths that start at `root`.
  func trackerStatement(rootedAt root: String) -> String? {
    guard declaresObservable else { return nil }
    return """
      \(EmittedName.propertyType)._$addTracker(of: \(root).self, to: &properties) \
      { $0.\(EmittedName.observation)($1, of: $0, at: $2) }
      """
  }
}
