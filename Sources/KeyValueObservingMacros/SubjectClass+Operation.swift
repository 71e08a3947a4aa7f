import SwiftSyntax

// On Linux Foundation's `Operation` has `willChangeValue` and `didChangeValue` of its own, which notify
// operation queues. They hide those of the library in every subclass, and cannot be overridden.
extension SubjectClass {
  /// Properties to call in place of those functions: they notify the observers and the queue.
  var operationMembers: [String] {
    guard extendsOperation else { return [] }
    return EmittedName.manualNotifications.filter { !declares($0) }.map { name in
      """
      \([memberAccess].spelled)var \(name): \
      \(EmittedName.manualNotificationType)<\(self.name.text)> {
        .init(
          of: self, isBeginning: \(name == EmittedName.willChange),
          inheritedKeys: [\(operationKeys)],
          callSuperclass: { super.\(name)(forKey: $0) }
        )
      }
      """
    }
  }

  /// Whether the class calls functions that would be those of `Operation`, if its superclass is a
  /// subclass of that, as its name says.
  var mayCallOperation: Bool {
    guard let name = superclassType?.baseName else { return false }
    return name.hasSuffix("Operation") && !extendsOperation && notifiesManually
  }

  private var extendsOperation: Bool {
    guard let type = superclassType, operationNames.contains(type.baseName) else { return false }
    // A class of that name may be another one. Then this one does not expect what `Operation` does.
    let isQualified = type.as(MemberTypeSyntax.self)?.baseType.baseName == "Foundation"
    return isQualified || notifiesManually
  }

  private var notifiesManually: Bool {
    declaration.memberBlock.tokens(viewMode: .sourceAccurate)
      .contains { EmittedName.manualNotifications.contains($0.text) }
  }
}

private let operationNames: Set<String> = ["BlockOperation", "Operation"]

/// The keys that an operation queue observes.
private let operationKeys = ["isCancelled", "isExecuting", "isFinished", "isReady"]
  .map { "\\.\($0): \"\($0)\"" }.joined(separator: ", ")
