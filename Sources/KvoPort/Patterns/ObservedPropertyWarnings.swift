internal import SwiftSyntax

/// Warns of properties of observed classes that behave differently, or cannot be observed.
enum ObservedPropertyWarnings: Pattern {
  static func apply(to port: FilePort) {
    for node in port.nodes.types {
      guard let type = port.index.type(of: node), port.index.isToBeAnnotated(type) else { continue }
      warnOfCoding(type, in: port)
      for member in type.members {
        guard let variable = member.as(VariableDeclSyntax.self),
          !port.file.skips.contains(variable)
        else { continue }
        warn(of: variable, in: type, port)
      }
      LockedChanges(of: type, in: port).warn()
    }
  }

  private static func warn(
    of variable: VariableDeclSyntax, in type: TypeDeclaration, _ port: FilePort
  ) {
    let names = variable.bindings.compactMap(\.name)
    let isNotified =
      variable.modifiers.contains(.dynamic) || !type.notifiedKeys.isDisjoint(with: names)
    let name = names.first ?? ""
    switch Obstacle(variable, in: type) {
    case .lazy where isNotified:
      port.warn(.lazyProperty, at: variable, Messages.lazyProperty(name))
    case .wrapper(let attribute) where isNotified:
      port.warn(.wrappedProperty, at: variable, Messages.wrappedProperty(name, attribute.baseName))
    case .opaque where isNotified:
      port.warn(.wrappedProperty, at: variable, Messages.opaqueProperty(name))
    case .isolation where isNotified || port.options.observesAll:
      port.warn(.isolatedProperty, at: variable, Messages.isolatedProperty(name, type.name))
    default: break
    }
  }

  private static func warnOfCoding(_ type: TypeDeclaration, in port: FilePort) {
    let conformances = Set((type.inherited + type.addedConformances).map(\.base))
    let decodes =
      !conformances.isDisjoint(with: ["Codable", "Decodable"])
      && !type.initializers.contains {
        $0.signature.parameterClause.parameters.first?.firstName.text == "from"
      }
    let encodes =
      !conformances.isDisjoint(with: ["Codable", "Encodable"])
      && type.functions["encode(to:)"] == nil
    if decodes || encodes, let name = type.classNode?.name {
      port.warn(.codable, at: name, Messages.codable(type.name))
    }
  }
}

/// Changes that notify observers while a lock is held.
private struct LockedChanges {
  private let type: TypeDeclaration
  private let port: FilePort
  private let observed: Set<String>

  init(of type: TypeDeclaration, in port: FilePort) {
    self.type = type
    self.port = port
    observed = Set(
      type.properties.values.filter { $0.isDynamic && $0.isStoredVariable }.map(\.name))
  }

  func warn() {
    for member in type.members {
      guard let variable = member.as(VariableDeclSyntax.self), !port.file.skips.contains(variable)
      else { continue }
      for accessor in variable.bindings.flatMap(\.accessors) {
        let finder = LockedChangeFinder(observed)
        finder.walk(accessor)
        for (node, lock) in finder.found {
          port.warn(.heldLock, at: node, Messages.heldLock(lock), .review)
        }
      }
    }
  }
}

private final class LockedChangeFinder: SyntaxVisitor {
  var found: [(node: Syntax, lock: String)] = []
  private let observed: Set<String>
  private var locks: [String] = []
  private static let functions: Set<String> = [
    "sync", "withLock", "withCriticalSection", "withLockUnchecked",
  ]

  /// The functions that lock, with those that unlock.
  private static let ends = ["lock": "unlock", "objc_sync_enter": "objc_sync_exit"]

  init(_ observed: Set<String>) {
    self.observed = observed
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.calledName ?? ""
    if Self.functions.contains(name), node.base != nil { locks.append(name) }
    if Self.ends[name] != nil { locks.append(name) }
    if let lock = locks.last, Self.ends[lock] == name, !node.isDeferred { locks.removeLast() }
    if let lock = locks.last, ManualNotification(node) != nil { found.append((Syntax(node), lock)) }
    return .visitChildren
  }

  override func visitPost(_ node: FunctionCallExprSyntax) {
    if Self.functions.contains(node.calledName ?? ""), node.base != nil { locks.removeLast() }
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    guard let lock = locks.last, let target = node.elements.first, node.elements.count > 1 else {
      return .visitChildren
    }
    let operation = Array(node.elements)[1]
    let isAssignment =
      operation.is(AssignmentExprSyntax.self)
      || operation.as(BinaryOperatorExprSyntax.self)?.operator.text.hasSuffix("=") == true
    let text = target.trimmedDescription
    let name = text.hasPrefix("self.") ? String(text.dropFirst(5)) : text
    if isAssignment, observed.contains(name),
      !["==", "!=", "<=", ">="].contains(operation.trimmedDescription)
    {
      found.append((Syntax(target), lock))
    }
    return .visitChildren
  }
}

extension SyntaxProtocol {
  fileprivate var isDeferred: Bool {
    var current = parent
    while let node = current {
      if node.is(DeferStmtSyntax.self) { return true }
      if node.is(AccessorDeclSyntax.self) { return false }
      current = node.parent
    }
    return false
  }
}
