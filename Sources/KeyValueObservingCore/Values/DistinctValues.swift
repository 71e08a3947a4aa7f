/// Values of which no two are equal, in the order in which they first came; nil is left out.
///
/// Values that are hashable or equatable are compared by equality, other objects by identity.
/// Values that cannot be compared are all kept.
struct DistinctValues {
  private(set) var values: [Any?] = []
  private var hashed: Set<AnyHashable> = []
  private var equatable: [any Equatable] = []

  init(_ candidates: [Any?]) {
    for case let candidate? in candidates where isNew(candidate) { values.append(candidate) }
  }

  private mutating func isNew(_ value: Any) -> Bool {
    if let hashable = (value as? Members).map(\.identity) ?? value as? AnyHashable {
      return hashed.insert(hashable).inserted
    }
    if let value = value as? any Equatable {
      if equatable.contains(where: { isEqual(value, to: $0) }) { return false }
      equatable.append(value)
      return true
    }
    guard type(of: value) is AnyClass else { return true }
    return hashed.insert(ObjectIdentifier(value as AnyObject)).inserted
  }

  private func isEqual<Value: Equatable>(_ value: Value, to other: any Equatable) -> Bool {
    other as? Value == value
  }
}
