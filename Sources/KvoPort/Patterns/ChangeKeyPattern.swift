internal import SwiftSyntax

/// Counts uses of the change dictionary, and warns of casts of its values that may fail.
enum ChangeKeyPattern: Pattern {
  private static let keys: Set<String> = [
    "newKey", "oldKey", "kindKey", "indexesKey", "notificationIsPriorKey",
  ]

  private static let numbers: Set<String> = ["NSNumber", "Int", "UInt", "Int32", "UInt32"]

  static func apply(to port: FilePort) {
    for node in port.nodes.subscripts {
      guard node.arguments.count == 1,
        let key = node.arguments.first?.expression.as(MemberAccessExprSyntax.self),
        keys.contains(key.declName.baseName.text),
        key.base == nil || key.base?.trimmedDescription == "NSKeyValueChangeKey"
      else { continue }
      port.leave(.changeKey, at: key)
    }
    lazy var enumeration = port.index.observedEnumeration(in: port.file)
    for sequence in port.nodes.sequences {
      let elements = Array(sequence.elements)
      for (index, element) in elements.enumerated().dropFirst() {
        guard let cast = element.as(UnresolvedAsExprSyntax.self),
          isChangedValue(elements[index - 1])
        else { continue }
        if index + 1 < elements.count, isNumber(elements[index + 1]), let enumeration {
          port.warn(
            .changedValueCast, at: element, Messages.enumerationCast(enumeration.qualifiedName),
            .review)
        } else if cast.questionOrExclamationMark?.text == "!" {
          port.warn(.changedValueCast, at: element, Messages.changedValueCast, .review)
        }
      }
    }
  }

  private static func isNumber(_ type: ExprSyntax) -> Bool {
    type.as(TypeExprSyntax.self).flatMap { TypeName($0.type) }.map { numbers.contains($0.base) }
      ?? false
  }

  private static func isChangedValue(_ expression: ExprSyntax) -> Bool {
    let text = expression.trimmedDescription
    if text.hasSuffix("[.newKey]") || text.hasSuffix("[.oldKey]") { return true }
    if text.hasSuffix("[NSKeyValueChangeKey.newKey]")
      || text.hasSuffix("[NSKeyValueChangeKey.oldKey]")
    {
      return true
    }
    return ["change.newValue", "change.oldValue"].contains(text)
  }
}
