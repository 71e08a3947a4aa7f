internal import SwiftSyntax

/// The members of `NSMutableArray` and `NSMutableSet` that are used of a collection that is changed by key.
struct ProxyMembers {
  /// The edits that write the names of Swift's collections.
  private(set) var edits: [Edit] = []
  /// The members that the collections of the library do not have.
  private(set) var unknown: [TokenSyntax] = []

  private static let ofArrays = [
    "add(_:)": "append", "removeAllObjects()": "removeAll", "removeLastObject()": "removeLast",
    "removeObject(at:)": "remove",
  ]
  private static let ofSets = ["add(_:)": "insert", "removeAllObjects()": "removeAll"]
  private static let missing: Set<String> = [
    "add", "addObjects", "allObjects", "anyObject", "exchangeObject", "filter(using:)", "object",
    "remove(_:)", "removeObject", "removeObjects", "replaceObject", "replaceObjects",
    "setSet", "sort(using:)",
  ]

  init(of call: FunctionCallExprSyntax) {
    switch call.calledName {
    case "mutableArrayValue": add(Self.members(of: call), Self.ofArrays, Self.missing)
    case "mutableSetValue":
      add(Self.members(of: call), Self.ofSets, Self.missing.subtracting(["remove(_:)"]))
    default: break
    }
  }

  private mutating func add(
    _ members: [MemberAccessExprSyntax], _ names: [String: String], _ missing: Set<String>
  ) {
    for member in members {
      let name = member.declName.baseName
      let labels = member.parent?.as(FunctionCallExprSyntax.self)?.labels.map { $0 + ":" }
      let fullName = name.text + (labels.map { "(\($0.joined()))" } ?? "")
      if let replacement = names[fullName] {
        edits.append(.replace(name.range, with: replacement))
      } else if missing.contains(name.text) || missing.contains(fullName) {
        unknown.append(name)
      }
    }
  }

  /// The members that are used of the result of a call, or of a local constant with it.
  private static func members(of call: FunctionCallExprSyntax) -> [MemberAccessExprSyntax] {
    var node = Syntax(call)
    while let parent = node.parent, parent.is(TryExprSyntax.self) || parent.isParentheses {
      node = parent
    }
    if let member = node.parent?.as(MemberAccessExprSyntax.self) {
      return member.base?.id == node.id ? [member] : []
    }
    guard let binding = node.parent?.parent?.as(PatternBindingSyntax.self), let name = binding.name,
      let block = binding.parent?.parent?.parent?.parent?.as(CodeBlockItemListSyntax.self)
    else { return [] }
    let finder = MemberFinder(name, of: binding)
    finder.walk(block)
    return finder.members
  }
}

/// Finds the members of a local variable that are used.
private final class MemberFinder: SyntaxVisitor {
  var members: [MemberAccessExprSyntax] = []
  private let name: String
  private let binding: PatternBindingSyntax

  init(_ name: String, of binding: PatternBindingSyntax) {
    (self.name, self.binding) = (name, binding)
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    if let base = node.base?.as(DeclReferenceExprSyntax.self), base.baseName.unescaped == name,
      base.localBinding(of: name)?.id == binding.id
    {
      members.append(node)
    }
    return .visitChildren
  }
}

extension Syntax {
  /// Whether this is one of the nodes of an expression in parentheses.
  fileprivate var isParentheses: Bool {
    switch kind {
    case .labeledExpr: parent?.parent?.isParentheses == true
    case .labeledExprList: parent?.isParentheses == true
    case .tupleExpr: self.as(TupleExprSyntax.self)?.elements.count == 1
    default: false
    }
  }
}
