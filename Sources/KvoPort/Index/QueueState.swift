internal import SwiftSyntax

/// The keys of an operation that its queue observes.
enum OperationKey: String, CaseIterable {
  case isReady, isExecuting, isFinished, isCancelled

  static let names = allCases.map(\.rawValue)
}

/// The keys of an operation on which the state depends that its queue observes.
///
/// On Apple's platforms a change of such a key notifies the queue of the state. Foundation on Linux has no
/// dependent keys, so the state has to be notified of itself, where the key is.
struct QueueState {
  /// The states that depend on a key.
  private(set) var dependents: [String: [String]] = [:]
  /// The declarations of dependencies that go.
  private(set) var removed: Set<SyntaxIdentifier> = []
  /// Whether a declaration stays, because not all notifications of its keys are visible.
  private(set) var isIncomplete = false

  /// - Returns: Nil if no state depends on keys that only manual notifications and setters change.
  init?(of type: TypeDeclaration, _ index: Index) {
    guard index.isOperation(type), index.isToBeAnnotated(type),
      type.functions[CocoaNames.affectingValue] == nil
    else { return nil }
    addOwn(of: type, index)
    let inherited = index.superclass(of: type).flatMap { index.queueState(of: $0) }?.dependents
    for (key, states) in inherited ?? [:] {
      let states = states.filter {
        type.dependencies(of: $0) == nil && !type.postedKeys.contains($0)
      }
      if !states.isEmpty { dependents[key, default: []] += states }
    }
    if dependents.isEmpty { return nil }
  }

  /// Adds the states whose dependencies the class declares itself: all of them or none.
  private mutating func addOwn(of type: TypeDeclaration, _ index: Index) {
    var own = self
    for state in OperationKey.names where !type.postedKeys.contains(state) {
      guard let declaration = type.dependencies(of: state) else { continue }
      let inputs = Keys.named(in: declaration.body)
      guard !inputs.isEmpty, inputs.allSatisfy({ Self.isNotified($0, by: type, index) }) else {
        isIncomplete = true
        return
      }
      own.removed.insert(declaration.id)
      for input in inputs { own.dependents[input, default: []].append(state) }
    }
    self = own
  }

  /// Whether all changes of a key are visible: manual notifications, or a dynamic setter.
  private static func isNotified(_ key: String, by type: TypeDeclaration, _ index: Index) -> Bool {
    // A superclass does not notify of the state, which depends on the key in this class only.
    let isInherited = index.superclasses(of: type).contains {
      $0.postedKeys.contains(key) || $0.properties[key]?.isDynamic == true
    }
    if isInherited { return false }
    guard let property = type.properties[key], property.isDynamic else {
      return type.postedKeys.contains(key)
    }
    return property.isComputed && property.binding.accessor(.set)?.body != nil
  }
}

extension Index {
  /// How the queue of an operation is notified of its state.
  func queueState(of type: TypeDeclaration) -> QueueState? {
    if let known = type.queueState { return known }
    let state = QueueState(of: type, self)
    type.queueState = .some(state)
    return state
  }

  /// Whether a declaration that stays, of a class or those related to it, names a key as a dependency.
  func isDependency(_ key: String, of type: TypeDeclaration) -> Bool {
    (superclasses(of: type) + family(of: type)).contains { related in
      let removed = queueState(of: related)?.removed ?? []
      return related.dependencies.contains {
        !removed.contains($0.id) && Keys.named(in: $0.body).contains(key)
      }
    }
  }
}

/// The declaration of the keys on which others depend.
struct DependencyDeclaration {
  let id: SyntaxIdentifier
  let body: Syntax
}

extension TypeDeclaration {
  /// All declarations of dependencies.
  var dependencies: [DependencyDeclaration] {
    let names = Array(functions.keys) + Array(properties.keys)
    return names.filter { $0.hasPrefix(CocoaNames.affectingPrefix) }
      .compactMap { dependencies(declaredBy: $0) }
  }

  /// The declaration of the dependencies of one key.
  func dependencies(of key: String) -> DependencyDeclaration? {
    let name = CocoaNames.affecting(key)
    return dependencies(declaredBy: name + "()") ?? dependencies(declaredBy: name)
  }

  private func dependencies(declaredBy name: String) -> DependencyDeclaration? {
    if let function = functions[name], let body = function.body {
      return DependencyDeclaration(id: function.id, body: Syntax(body))
    }
    return properties[name].map {
      DependencyDeclaration(id: $0.declaration.id, body: Syntax($0.binding))
    }
  }
}
