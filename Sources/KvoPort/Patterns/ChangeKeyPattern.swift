internal import SwiftSyntax

/// Counts uses of the change dictionary, and warns of values that are cast by force.
enum ChangeKeyPattern: Pattern {
  private static let keys: Set<String> = [
    "newKey", "oldKey", "kindKey", "indexesKey", "notificationIsPriorKey",
  ]

  static func apply(to port: FilePort) {
    for node in port.nodes.subscripts {
      guard node.arguments.count == 1,
        let key = node.arguments.first?.expression.as(MemberAccessExprSyntax.self),
        keys.contains(key.declName.baseName.text),
        key.base == nil || key.base?.trimmedDescription == "NSKeyValueChangeKey"
      else { continue }
      port.leave(.changeKey, at: key)
    }
    for sequence in port.nodes.sequences {
      let elements = Array(sequence.elements)
      for (index, element) in elements.enumerated().dropFirst()
      where element.as(UnresolvedAsExprSyntax.self)?.questionOrExclamationMark?.text == "!"
        && isChangedValue(elements[index - 1])
      {
        port.warn(.changedValueCast, at: element, Messages.changedValueCast, .review)
      }
    }
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
