import KeyValueObserving

/// One property of one object, on which what is observed depends.
struct Input: Hashable {
  enum Key: String, CaseIterable { case value, mark, bonus, child, peer, crowd }

  let node: StressNode
  let key: Key

  static func == (left: Input, right: Input) -> Bool {
    left.node === right.node && left.key == right.key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(node))
    hasher.combine(key)
  }

  /// Sets the property to what it holds, which is a change like any other (P9).
  func set() {
    switch key {
    case .value: node.value = node.value
    case .mark: node.mark = node.mark
    case .bonus: if let branch = node as? StressBranch { branch.bonus = branch.bonus }
    case .child: node.child = node.child
    case .peer: node.peer = node.peer
    case .crowd: node.crowd = node.crowd
    }
  }
}

extension Route {
  /// The inputs on which an observation from an object depends now, and the reason of a change of
  /// each (P26).
  func inputs(from root: StressNode) -> [Input: KeyValueChangeReason] {
    switch self {
    case .value, .valueByKey: Self.value(of: root)
    case .deep, .deepByString: Self.walk([.child, .child, .child], from: root, Self.value)
    case .throughWeak, .throughWeakByString: Self.walk([.peer, .child], from: root, Self.value)
    case .mark: Self.mark(of: root)
    case .markOfChild, .markByString: Self.walk([.child], from: root, Self.mark)
    case .sum: Self.sum(of: root)
    case .sumOfChild: Self.walk([.child], from: root, Self.sum)
    case .sumByString: Self.walk([.child, .child], from: root, Self.sum)
    case .crowd:
      root.crowd.reduce(into: [Input(node: root, key: .crowd): .valueChanged]) { inputs, node in
        inputs[Input(node: node, key: .value)] = .valueChanged
      }
    }
  }

  private typealias Inputs = [Input: KeyValueChangeReason]

  private static func walk(
    _ keys: [Input.Key], from root: StressNode, _ last: (StressNode) -> Inputs
  ) -> Inputs {
    var inputs: Inputs = [:]
    var node: StressNode? = root
    for key in keys {
      guard let current = node else { return inputs }
      inputs[Input(node: current, key: key)] = .pathChanged
      node = key == .child ? current.child : current.peer
    }
    return node.map { inputs.merging(last($0)) { reason, _ in reason } } ?? inputs
  }

  private static func value(of node: StressNode) -> Inputs {
    [Input(node: node, key: .value): .valueChanged]
  }

  private static func mark(of node: StressNode) -> Inputs {
    [Input(node: node, key: .mark): .valueChanged].merging(bonus(of: node)) { reason, _ in reason }
  }

  /// The subclass computes with one more property.
  private static func bonus(of node: StressNode) -> Inputs {
    node is StressBranch ? [Input(node: node, key: .bonus): .valueChanged] : [:]
  }

  private static func sum(of node: StressNode) -> Inputs {
    var inputs = bonus(of: node)
    for key in [Input.Key.value, .child, .peer] {
      inputs[Input(node: node, key: key)] = .valueChanged
    }
    for other in [node.child, node.peer] {
      if let other { inputs[Input(node: other, key: .value)] = .valueChanged }
    }
    return inputs
  }
}
