/// A collection that is rebuilt from the changes that an observer receives.
struct CollectionMirror {
  private(set) var value: [Int]?
  private let isSet: Bool
  private(set) var faults: [String] = []

  init(_ value: [Int]?, isSet: Bool) { (self.value, self.isSet) = (value, isSet) }

  /// Takes in a change, or the removals and insertions of one.
  mutating func receive(_ changes: [CollectionChange]) {
    for change in changes where changes.count == 1 || change.indexes?.isEmpty == false {
      receive(change)
    }
  }

  private mutating func expect(_ isRight: Bool, _ change: CollectionChange) {
    if !isRight { faults.append("receives \(change), and has \(value as Any).") }
  }

  private mutating func receive(_ change: CollectionChange) {
    guard change.kind != .setting else {
      expect(change.old.map { $0 == value } ?? true, change)
      expect(change.indexes == nil, change)
      return value = change.new ?? nil
    }
    expect(change.kind != .insertion || change.old == nil, change)
    expect(change.kind != .removal || change.new == nil, change)
    let (old, new) = ((change.old ?? nil) ?? [], (change.new ?? nil) ?? [])
    if isSet { takeMembers(of: change, old, new) } else { takeElements(of: change, old, new) }
  }

  private mutating func takeMembers(of change: CollectionChange, _ old: [Int], _ new: [Int]) {
    let rest = Set(value ?? []).subtracting(old)
    expect(change.indexes == nil && Set(old).isSubset(of: value ?? []), change)
    expect(rest.isDisjoint(with: new) && !(old + new).isEmpty, change)
    value = rest.union(new).sorted()
  }

  private mutating func takeElements(of change: CollectionChange, _ old: [Int], _ new: [Int]) {
    var list = value ?? []
    let indexes = change.indexes ?? []
    let count = change.kind == .insertion ? list.count + indexes.count : list.count
    guard let last = indexes.last, last < count,
      change.kind == .removal || new.count == indexes.count
    else { return expect(false, change) }
    if change.kind != .insertion, change.old != nil {
      expect(indexes.map { list[$0] } == old, change)
    }
    switch change.kind {
    case .insertion: for (index, element) in zip(indexes, new) { list.insert(element, at: index) }
    case .removal: for index in indexes.reversed() { list.remove(at: index) }
    default: for (index, element) in zip(indexes, new) { list[index] = element }
    }
    value = list
  }
}
