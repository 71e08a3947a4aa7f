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
    lazy var keys = observedKeys(of: port.file)
    for sequence in port.nodes.sequences {
      let elements = Array(sequence.elements)
      for (index, element) in elements.enumerated().dropFirst() {
        guard let cast = element.as(UnresolvedAsExprSyntax.self) else { continue }
        let type = index + 1 < elements.count ? name(of: elements[index + 1]) : nil
        if type == "Int", isSubscript(elements[index - 1], keys: ["kindKey"]) {
          port.warn(.changedValueCast, at: element, Messages.kindCast, .review)
        }
        guard isChangedValue(elements[index - 1]) else { continue }
        if type == "NSValue" {
          port.warn(.changedValueCast, at: element, Messages.structureCast, .review)
        } else if let type, numbers.contains(type),
          let enumeration = port.index.observedEnumeration(
            of: comparedKeys(around: element) ?? keys)
        {
          port.warn(
            .changedValueCast, at: element, Messages.enumerationCast(enumeration.qualifiedName),
            .review)
        } else if cast.questionOrExclamationMark?.text == "!" {
          port.warn(.changedValueCast, at: element, Messages.changedValueCast, .review)
        }
      }
    }
  }

  /// The keys of the file that observers name: where they are added, and where they receive changes.
  private static func observedKeys(of file: SourceFile) -> Set<String> {
    let observations = file.nodes.calls.compactMap { Observation($0) }
    var keys = Set(observations.filter { $0.kind == .classic }.compactMap(\.keys.last))
    for function in file.nodes.functions where function.fullName == CocoaNames.observeValue {
      function.body.map { keys.formUnion(Keys.components(in: $0)) }
    }
    return keys
  }

  /// The keys with which the nearest condition around a node compares, nil if there is none.
  private static func comparedKeys(around node: some SyntaxProtocol) -> Set<String>? {
    var node = Syntax(node)
    while let parent = node.parent, !parent.is(FunctionDeclSyntax.self) {
      var keys: Set<String> = []
      if let branch = parent.as(SwitchCaseSyntax.self) {
        keys = Keys.components(in: branch.label)
      } else if let branch = parent.as(IfExprSyntax.self), node.id != branch.elseBody?.id {
        keys = Keys.components(in: branch.conditions)
      }
      if !keys.isEmpty { return keys }
      node = parent
    }
    return nil
  }

  private static func name(of type: ExprSyntax) -> String? {
    type.as(TypeExprSyntax.self).flatMap { TypeName($0.type) }?.base
  }

  private static func isChangedValue(_ expression: ExprSyntax) -> Bool {
    isSubscript(expression, keys: ["newKey", "oldKey"])
      || ["change.newValue", "change.oldValue"].contains(expression.trimmedDescription)
  }

  /// Whether an expression reads one of some keys of a change dictionary.
  private static func isSubscript(_ expression: ExprSyntax, keys: [String]) -> Bool {
    let text = expression.trimmedDescription
    return keys.contains {
      text.hasSuffix("[.\($0)]") || text.hasSuffix("[NSKeyValueChangeKey.\($0)]")
    }
  }
}
