extension MemberCollection where Self: RangeReplaceableCollection {
  init?(converting members: Members) {
    guard members.kind == .array else { return nil }
    self.init()
    reserveCapacity(members.values.count)
    for member in members.values {
      guard let member = losslessly(member, as: Element.self) else { return nil }
      append(member)
    }
  }
}

extension Set {
  init?(converting members: Members) {
    guard members.kind == .set else { return nil }
    self.init(minimumCapacity: members.values.count)
    for member in members.values {
      // Two that become one would be a loss.
      guard let member = losslessly(member, as: Element.self), insert(member).inserted else {
        return nil
      }
    }
  }
}

extension Dictionary {
  init?(converting pairs: [(key: Any, value: Any?)]) {
    self.init(minimumCapacity: pairs.count)
    for (key, value) in pairs {
      guard let key = losslessly(key, as: Key.self), let value = losslessly(value, as: Value.self),
        updateValue(value, forKey: key) == nil
      else { return nil }
    }
  }
}
