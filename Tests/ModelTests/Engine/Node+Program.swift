import KeyValueObserving

// How the statements of a program are written in Swift.

extension Node {
  func mutate(_ mutation: Mutation) {
    switch mutation {
    case .add(.x, let number): x += number
    case .add(_, let number): y += number
    case .append(let element): tags.append(element)
    case .removeAll(let element): tags.removeAll { $0 == element }
    case .failAfterAppending(let element): try? tags.append(element, failing: Refusal())
    }
  }

  func edit(_ edit: TagsEdit, by form: EditForm) {
    if form == .proxy { return edit.apply(to: (self as Node).mutableArrayValue(for: \.tags)) }
    guard let planned = edit.planned(for: tags) else { return }
    let node: Node = self
    let indexes = RangeSet(planned.indexes.map { $0..<($0 + 1) })
    if form == .block {
      return node.withMutation(of: \.tags, planned.kind, at: indexes) {
        mutate(edit, at: planned.indexes[0])
      }
    }
    node.willChange(planned.kind, valuesAt: indexes, for: \.tags)
    mutate(edit, at: planned.indexes[0])
    node.didChange(planned.kind, valuesAt: indexes, for: \.tags)
  }

  private func mutate(_ edit: TagsEdit, at place: Int) {
    switch edit {
    case .insert(let element, _): tags.insert(element, at: place)
    case .remove: tags.remove(at: place)
    case .replace(_, let element): tags[place] = element
    case .append, .removeAll, .sort: break
    }
  }

  func withScope(of key: Key, _ body: () -> Void) {
    let node: Node = self
    switch key {
    case .x: node.withMutation(of: \.x, body)
    case .y: node.withMutation(of: \.y, body)
    case .tags: node.withMutation(of: \.tags, body)
    case .next: node.withMutation(of: \.next, body)
    case .friend: node.withMutation(of: \.friend, body)
    case .sum: node.withMutation(of: \.sum, body)
    case .reach: node.withMutation(of: \.reach, body)
    case .total: node.withMutation(of: \.total, body)
    case .echo: node.withMutation(of: \.echo, body)
    case .bonus: node.withMutation(forKey: "bonus", body)
    }
  }

  func willChange(_ key: Key, byKey: Bool) {
    let node: Node = self
    if byKey { return node.willChangeValue(forKey: key.rawValue) }
    switch key {
    case .x: node.willChangeValue(for: \.x)
    case .y: node.willChangeValue(for: \.y)
    case .tags: node.willChangeValue(for: \.tags)
    case .next: node.willChangeValue(for: \.next)
    case .friend: node.willChangeValue(for: \.friend)
    case .sum: node.willChangeValue(for: \.sum)
    case .reach: node.willChangeValue(for: \.reach)
    case .total: node.willChangeValue(for: \.total)
    case .echo: node.willChangeValue(for: \.echo)
    case .bonus: (self as? Branch)?.willChangeValue(for: \.bonus)
    }
  }

  func didChange(_ key: Key, byKey: Bool) {
    let node: Node = self
    if byKey { return node.didChangeValue(forKey: key.rawValue) }
    switch key {
    case .x: node.didChangeValue(for: \.x)
    case .y: node.didChangeValue(for: \.y)
    case .tags: node.didChangeValue(for: \.tags)
    case .next: node.didChangeValue(for: \.next)
    case .friend: node.didChangeValue(for: \.friend)
    case .sum: node.didChangeValue(for: \.sum)
    case .reach: node.didChangeValue(for: \.reach)
    case .total: node.didChangeValue(for: \.total)
    case .echo: node.didChangeValue(for: \.echo)
    case .bonus: (self as? Branch)?.didChangeValue(for: \.bonus)
    }
  }
}
