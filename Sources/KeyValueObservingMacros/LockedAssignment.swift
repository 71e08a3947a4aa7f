import SwiftSyntax

/// An assignment to an observed variable while the code around it holds a lock or a queue.
///
/// The observers are called before the assignment returns, so with the lock held.
struct LockedAssignment {
  /// The reference that is assigned to.
  let reference: DeclReferenceExprSyntax
  /// The function that takes the lock: `withLock`, `sync` or `lock`.
  let function: String
  /// The call that holds the lock while it runs a closure; nil between `lock()` and `unlock()`.
  let call: FunctionCallExprSyntax?

  var name: String { reference.baseName.text }

  /// Finds the assignments in the body of a class, but for those in `withMutation(of:)` of the variable,
  /// which calls the observers afterwards.
  static func all(in subject: SubjectClass) -> [Self] {
    let finder = Finder(
      names: Set(
        subject.declaration.memberBlock.members
          .compactMap { $0.decl.as(VariableDeclSyntax.self) }
          .filter(\.isObservedStorage)
          .flatMap { $0.bindings.compactMap { $0.name?.unescapedName } }))
    finder.walk(subject.declaration.memberBlock)
    return finder.found
  }

  private final class Finder: SyntaxVisitor {
    let names: Set<String>
    var found: [LockedAssignment] = []

    init(names: Set<String>) {
      self.names = names
      super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
      guard node.isAssignment else { return .visitChildren }
      found +=
        node.elements.first?.assignedReferences.filter(isObserved)
        .compactMap(LockedAssignment.init) ?? []
      return .visitChildren
    }

    private func isObserved(_ reference: DeclReferenceExprSyntax) -> Bool {
      let name = reference.baseName.unescapedName
      return names.contains(name)
        && (reference.isMemberOfSelf || !LocalScope(of: reference).binds(name))
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
      .skipChildren
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  }

  /// Returns nil unless a lock is held.
  private init?(to reference: DeclReferenceExprSyntax) {
    var holder: (function: String, call: FunctionCallExprSyntax?)?
    var child = Syntax(reference)
    while let parent = child.parent, !parent.is(MemberBlockItemSyntax.self), !child.runsLater {
      if let call = parent.as(FunctionCallExprSyntax.self), call.takesClosure(around: child) {
        if call.isMutation(of: reference.baseName.text) { return nil }
        if let function = call.lockingFunction { holder = holder ?? (function, call) }
      } else if let items = parent.as(CodeBlockItemListSyntax.self), items.holdLock(at: child) {
        holder = holder ?? ("lock", nil)
      }
      child = parent
    }
    guard let holder else { return nil }
    self.reference = reference
    (function, call) = holder
  }
}

extension SequenceExprSyntax {
  /// Whether the first element is assigned to, plainly or by an operator such as `+=`.
  fileprivate var isAssignment: Bool {
    guard let operation = elements.dropFirst().first else { return false }
    if operation.is(AssignmentExprSyntax.self) { return true }
    let text = operation.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
    return text.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(text)
  }
}

extension ExprSyntax {
  /// The members of `self` that change where this is assigned to: `list` for `list[0].name`, and each one
  /// of a tuple.
  fileprivate var assignedReferences: [DeclReferenceExprSyntax] {
    if let tuple = self.as(TupleExprSyntax.self) {
      return tuple.elements.flatMap { $0.expression.assignedReferences }
    }
    if let reference = self.as(DeclReferenceExprSyntax.self) { return [reference] }
    if let access = self.as(MemberAccessExprSyntax.self), let base = access.base {
      let object = base.as(OptionalChainingExprSyntax.self)?.expression ?? base
      return object.isSelf ? [access.declName] : base.assignedReferences
    }
    let base =
      self.as(SubscriptCallExprSyntax.self)?.calledExpression
      ?? self.as(OptionalChainingExprSyntax.self)?.expression
      ?? self.as(ForceUnwrapExprSyntax.self)?.expression
    return base?.assignedReferences ?? []
  }
}

extension Syntax {
  /// Whether this is a closure or a function that is not called before the statement around it ends, or
  /// that is not known to be.
  fileprivate var runsLater: Bool {
    if self.is(FunctionDeclSyntax.self) { return true }
    guard self.is(ClosureExprSyntax.self) else { return false }
    return enclosingCall?.isAsynchronous ?? true
  }

  /// The call that a closure is an argument of, or that calls it.
  private var enclosingCall: FunctionCallExprSyntax? {
    if let call = parent?.as(FunctionCallExprSyntax.self) { return call }
    guard
      parent?.is(LabeledExprSyntax.self) == true
        || parent?.is(MultipleTrailingClosureElementSyntax.self) == true
    else { return nil }
    return parent?.parent?.parent?.as(FunctionCallExprSyntax.self)
  }
}

extension DeclReferenceExprSyntax {
  /// Whether this is not the base of a member, but the member.
  fileprivate var isMemberOfSelf: Bool {
    parent?.as(MemberAccessExprSyntax.self)?.declName.id == id
  }
}

extension FunctionCallExprSyntax {
  /// Whether a closure is passed that has `child` inside: not what is called, nor a plain argument.
  fileprivate func takesClosure(around child: Syntax) -> Bool {
    child.is(ClosureExprSyntax.self)
      || child.as(LabeledExprListSyntax.self)?.contains { $0.expression.is(ClosureExprSyntax.self) }
        == true
  }

  /// The function that holds a lock or a queue while it runs the closure, if it is one.
  ///
  /// The main queue is left out: it guards no storage.
  fileprivate var lockingFunction: String? {
    guard let access = calledExpression.as(MemberAccessExprSyntax.self) else { return nil }
    let function = access.declName.baseName.text
    if access.base?.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "main" { return nil }
    return ["sync", "withLock", "withLockUnchecked"].contains(function) ? function : nil
  }

  /// Whether a function is called that returns before it calls its closure.
  fileprivate var isAsynchronous: Bool {
    let called = calledExpression.as(GenericSpecializationExprSyntax.self)?.expression
    let function =
      (called ?? calledExpression).as(DeclReferenceExprSyntax.self)
      ?? calledExpression.as(MemberAccessExprSyntax.self)?.declName
    return ["async", "asyncAfter", "Task", "detached", "addTask", "addOperation"]
      .contains(function?.baseName.text)
  }

  /// Whether this makes all that its closure does one change of a variable, delivered afterwards.
  fileprivate func isMutation(of name: String) -> Bool {
    let function =
      calledExpression.as(DeclReferenceExprSyntax.self)
      ?? calledExpression.as(MemberAccessExprSyntax.self)?.declName
    return function?.baseName.text == "withMutation"
      && arguments.first?.expression.trimmedDescription.hasSuffix(".\(name)") == true
  }
}

extension CodeBlockItemListSyntax {
  /// Whether a statement before `child` locks something that is not unlocked in between.
  ///
  /// `defer` unlocks later.
  fileprivate func holdLock(at child: Syntax) -> Bool {
    prefix { $0.position < child.position }.reduce(false) { isHeld, item in
      let call = item.item.as(FunctionCallExprSyntax.self)
      guard let call, call.arguments.isEmpty,
        let access = call.calledExpression.as(MemberAccessExprSyntax.self)
      else { return isHeld }
      switch access.declName.baseName.text {
      case "lock": return true
      case "unlock": return false
      default: return isHeld
      }
    }
  }
}
