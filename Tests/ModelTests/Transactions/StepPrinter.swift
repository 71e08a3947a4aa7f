extension TransactionProgram: CustomStringConvertible {
  /// The program as Swift, with a comment for each observer that it notifies.
  var description: String {
    let items = (0..<TransactionProgram.variableCount).map {
      "var n\($0): Item? = \(TransactionProgram.isBranch($0) ? "BranchItem" : "Item")()"
    }
    let history =
      traits.contains(.history)
      ? [
        "let history = KeyValueHistory(of: n0!, includingReachable: true\(historyText))",
        "// and of n1, n2, n3",
      ]
      : []
    return (items + history + steps.flatMap(\.lines)).joined(separator: "\n")
  }

  private var historyText: String {
    (traits.contains(.limit) ? ", limit: \(Self.historyLimit)" : "")
      + (traits.contains(.coalescing) ? ", coalescing: .seconds(3600)" : "")
  }
}

extension Step {
  fileprivate var lines: [String] {
    switch self {
    case .set(let variable, .bonus, let operand):
      ["(n\(variable) as? BranchItem)?.bonus = \(operand.text)"]
    case .set(let variable, let key, let operand): ["n\(variable)?.\(key) = \(operand.text)"]
    case .setByKey(let variable, let key, let operand):
      ["try n\(variable)?.setValue(\(operand.text), forKey: \"\(key)\")"]
    case .add(let variable, let key, let number): ["n\(variable)?.\(key) += \(number)"]
    case .append(let variable, let element): ["n\(variable)?.tags.append(\(element))"]
    case .edit(let variable, let edit):
      ["n\(variable)?.mutableArrayValue(for: \\.tags).\(edit)"]
    case .member(let variable, let member, let isInserted):
      [
        "n\(variable)?.mutableSetValue(for: \\.members)"
          + ".\(isInserted ? "insert" : "remove")(\(member))"
      ]
    case .scope(let variable, let key, let body):
      block("try n\(variable)?.withMutation(forKey: \"\(key)\") {", body)
    case .pair(let variable, let key, let body):
      Step.will(variable, key).lines + body.flatMap(\.lines) + Step.did(variable, key).lines
    case .will(let variable, let key): ["n\(variable)?.willChangeValue(forKey: \"\(key)\")"]
    case .did(let variable, let key): ["n\(variable)?.didChangeValue(forKey: \"\(key)\")"]
    case .entry(let key, let value):
      [value.map { "entries[\"\(key)\"] = \($0)" } ?? "entries.removeValue(forKey: \"\(key)\")"]
    case .transaction(let form, let body):
      block("\(form.passesErrorOn ? "try" : "try?") withKeyValueTransaction\(form.text) {", body)
    case .fail: ["throw Refusal()"]
    case .observe(let watch): watch.lines
    case .end(let observer): ["o\(observer).invalidate()"]
    case .make(let variable): ["n\(variable) = n\(variable) ?? Item()"]
    case .drop(let variable): ["n\(variable) = nil"]
    case .bind(let form):
      ["let b\(form.number) = n\(form.first.root)?.bind(\(form.text))"]
    case .unbind(let number): ["b\(number).invalidate()"]
    case .group(let number, let forms):
      ["let g\(number) = KeyValueBindingGroup<Item>()"]
        + forms.map { "g\(number).bind(\($0.text))" }
    case .source(let group, let variable):
      ["g\(group).source = \(Operand.node(variable).text)"]
    case .undo: ["try history.undo()"]
    case .redo: ["try history.redo()"]
    case .unrecorded(let body): block("history.withoutRecording {", body)
    case .nameGroup(let name): ["history.setGroupName(\"\(name)\")"]
    case .endCoalescing: ["history.endCoalescing()"]
    case .removeAllGroups: ["history.removeAll()"]
    }
  }

  private func block(_ opening: String, _ body: [Step]) -> [String] {
    [opening] + body.flatMap(\.lines).map { "  " + $0 } + ["}"]
  }
}

extension Watch {
  fileprivate var lines: [String] {
    let keys = path.map(\.rawValue)
    let keyPath =
      isString ? "\"\(keys.joined(separator: "."))\"" : "\\.\(keys.joined(separator: "?."))"
    let options = options.sorted().map { ".\($0)" }.joined(separator: ", ")
    let opening =
      "let o\(observer) = n\(root)?.observe(\(keyPath), options: [\(options)]) { _, _ in"
    let cases = actions.enumerated().flatMap { index, action in
      ["  if count == \(index + 1) {"] + action.lines.map { "    " + $0 } + ["  }"]
    }
    return [opening] + cases + ["}"]
  }
}

extension TransactionForm {
  fileprivate var text: String {
    var parts: [String] = rollsBack ? [] : ["onError: .deliver"]
    if !silenced.isEmpty {
      parts.append("withoutNotifying: [\(silenced.map { "o\($0)" }.joined(separator: ", "))]")
    }
    return parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))"
  }
}

extension BindingForm {
  fileprivate var text: String {
    "\(first.text), to: n\(second.root)!, \(second.text)" + (isOneWay ? ", .oneWay" : "")
      + (conversion == .none ? "" : ", converting: \(conversion)")
  }
}

extension BindingForm.Side {
  fileprivate var text: String { "\\.\(path.map(\.rawValue).joined(separator: "?."))" }
}

extension Operand {
  fileprivate var text: String {
    switch self {
    case .number(let number): "\(number)"
    case .list(let list): "\(list)"
    case .node(let variable): variable.map { "n\($0)" } ?? "nil"
    }
  }
}
