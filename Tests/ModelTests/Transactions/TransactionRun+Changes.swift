import KeyValueObserving

// The changes that a program makes, each with what it is expected to touch.
extension TransactionRun {
  func change(_ step: Step) {
    switch step {
    case .set(let variable, let key, let operand):
      set(variable, key, operand) { $0.set(key, to: $1, target: $2) }
    case .setByKey(let variable, let key, let operand):
      set(variable, key, operand) { item, operand, target in
        do {
          try item.setValue(operand.content(of: key, target: target), forKey: key.rawValue)
        } catch {
          fail("\(error)")
        }
      }
    case .add(let variable, let key, let number):
      guard let item = item(variable), has(item, key) else { return }
      noteSet(item, key)
      let former = item.read(key)
      item.add(number, to: key)
      if !isInTransaction, case .number(let former) = former {
        keepValuesOfBindings()
        setValueBeforeBindings(.number(former + number), of: ItemPlace(item, key))
      }
    case .append(let variable, let element):
      guard let item = item(variable) else { return }
      note(item, .tags)
      item.tags.append(element)
    case .edit(let variable, let edit):
      guard let item = item(variable) else { return }
      if edit.planned(for: item.tags) != nil { note(item, .tags, isEdit: true) }
      item.edit(edit)
    case .member(let variable, let member, let isInserted):
      guard let item = item(variable) else { return }
      if item.members.contains(member) != isInserted { note(item, .members, isEdit: true) }
      let members = (item as Item).mutableSetValue(for: \.members)
      if isInserted { members.insert(member) } else { members.remove(member) }
    case .will(let variable, let key): item(variable)?.willChange(key)
    case .did(let variable, let key):
      guard let item = item(variable) else { return }
      item.didChange(key)
    default: break
    }
  }

  private func set(
    _ variable: Int, _ key: ItemKey, _ operand: Operand, _ set: (Item, Operand, Item?) -> Void
  ) {
    guard let item = item(variable), has(item, key) else { return }
    var target: Item?
    if case .node(let variable?) = operand { target = self.item(variable) }
    noteSet(item, key)
    set(item, operand, target)
    // The value of a set outside of a transaction, before bindings write.
    if !isInTransaction, case .number(let number) = operand {
      keepValuesOfBindings()
      setValueBeforeBindings(.number(number), of: ItemPlace(item, key))
    }
  }

  private func has(_ item: Item, _ key: ItemKey) -> Bool { key != .bonus || item is BranchItem }

  private func noteSet(_ item: Item, _ key: ItemKey) {
    note(item, key)
    if key == .level { note(item, .mark) }
    if key == .bonus { note(item, .y) }
  }
}

extension Item {
  func set(_ key: ItemKey, to operand: Operand, target: Item?) {
    switch (key, operand) {
    case (.x, .number(let number)): x = number
    case (.y, .number(let number)): y = number
    case (.level, .number(let number)): level = number
    case (.mark, .number(let number)): mark = number
    case (.bonus, .number(let number)): (self as? BranchItem)?.bonus = number
    case (.tags, .list(let list)): tags = list
    case (.members, .list(let list)): members = Set(list)
    case (.next, _): next = target
    case (.friend, _): friend = target
    default: break
    }
  }

  func add(_ number: Int, to key: ItemKey) {
    switch key {
    case .x: x += number
    case .y: y += number
    case .level: level += number
    case .mark: mark += number
    case .bonus: (self as? BranchItem)?.bonus += number
    default: break
    }
  }

  func edit(_ edit: TagsEdit) {
    edit.apply(to: (self as Item).mutableArrayValue(for: \.tags))
  }

  func withScope(of key: ItemKey, _ body: () throws -> Void) rethrows {
    try (self as Item).withMutation(forKey: key.rawValue, body)
  }

  func willChange(_ key: ItemKey) { (self as Item).willChangeValue(forKey: key.rawValue) }

  func didChange(_ key: ItemKey) { (self as Item).didChangeValue(forKey: key.rawValue) }
}

extension Operand {
  /// The value for key-value coding.
  fileprivate func content(of key: ItemKey, target: Item?) -> Any? {
    switch self {
    case .number(let number): number
    case .list(let list) where key == .members: Set(list)
    case .list(let list): list
    case .node: target
    }
  }
}
