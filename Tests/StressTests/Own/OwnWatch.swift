import KeyValueObserving

/// The values of one change that an observer received.
struct ReceivedChange: Equatable {
  var old: Int?
  var new: Int?
  var kind = KeyValueChangeKind.setting
  var place: Int?
}

/// An observation of an object that one thread changes, which records its changes.
final class OwnWatch {
  enum Kind: CaseIterable { case value, valueByKey, tail, tailByString, sum, mark, tags }

  let kind: Kind
  private(set) var received: [ReceivedChange] = []
  private var token: KeyValueObservation?

  init(_ kind: Kind, of node: StressNode, in world: World) {
    self.kind = kind
    token = register(on: node, world.census.birth(of: .closure))
  }

  func take() -> [ReceivedChange] {
    defer { received = [] }
    return received
  }

  func forget(_ change: ReceivedChange) { received.removeAll { $0 == change } }

  func end() { token?.invalidate() }

  private func register(on node: StressNode, _ life: Life) -> KeyValueObservation? {
    switch kind {
    case .value: typed(\.value, on: node, life)
    case .valueByKey: string("value", on: node, life)
    case .tail: typed(\.child?.value, on: node, life)
    case .tailByString: string("child.value", on: node, life)
    case .sum: typed(\.sum, on: node, life)
    case .mark: typed(\.mark, on: node, life)
    case .tags:
      node.observe(\.tags, options: [.old, .new]) { [weak self, life] _, change in
        self?.received.append(
          ReceivedChange(
            old: change.oldValue?.first, new: change.newValue?.first, kind: change.kind,
            place: change.indexes?.ranges.first?.lowerBound))
        withExtendedLifetime(life) {}
      }
    }
  }

  private func typed<Value>(
    _ keyPath: KeyPath<StressNode, Value>, on node: StressNode, _ life: Life
  ) -> KeyValueObservation? {
    node.observe(keyPath, options: [.old, .new]) { [weak self, life] _, change in
      self?.received.append(
        ReceivedChange(old: change.oldValue as? Int, new: change.newValue as? Int))
      withExtendedLifetime(life) {}
    }
  }

  private func string(
    _ keyPath: String, on node: StressNode, _ life: Life
  ) -> KeyValueObservation? {
    try? node.observe(keyPath, options: [.old, .new]) {
      [weak self, life] _, change in
      self?.received.append(
        ReceivedChange(old: change.oldValue as? Int, new: change.newValue as? Int))
      withExtendedLifetime(life) {}
    }
  }
}
