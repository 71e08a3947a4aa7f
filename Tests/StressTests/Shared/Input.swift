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

/// A computed key of one object.
struct ComputedInput: Hashable {
  let node: ObjectIdentifier
  let last: Route.Last
}

extension Route {
  /// The inputs on which an observation from an object depends now, and the reason of a change of
  /// each (P26).
  func inputs(from root: StressNode) -> [Input: KeyValueChangeReason] {
    Self.walk(links, from: root) { node in
      switch last {
      case .value: Self.value(of: node)
      case .mark: Self.mark(of: node)
      case .sum: Self.sum(of: node)
      case .crowd:
        node.crowd.reduce(into: [Input(node: node, key: .crowd): .valueChanged]) { inputs, node in
          inputs[Input(node: node, key: .value)] = .valueChanged
        }
      }
    }
  }

  /// The keys to which the observation is attached itself: a computed key is attached to its inputs for all
  /// of its observers.
  func attachments(from root: StressNode) -> Set<Input> {
    Set(
      Self.walk(links, from: root) { node in
        switch last {
        case .value, .crowd: inputs(from: root)
        case .mark: [Input(node: node, key: .mark): .valueChanged]
        case .sum: [:]
        }
      }.keys)
  }

  /// The computed key at the end of the path, with its inputs.
  func computedKey(from root: StressNode) -> (key: ComputedInput, inputs: Set<Input>)? {
    let end = links.reduce(Optional(root)) { node, key in
      key == .child ? node?.child : node?.peer
    }
    guard let end else { return nil }
    switch last {
    case .value, .crowd: return nil
    // One that overrides a stored property is attached to the key itself, as its observers are.
    case .mark:
      guard end is StressBranch else { return nil }
      return (ComputedInput(node: ObjectIdentifier(end), last: last), Set(Self.mark(of: end).keys))
    case .sum:
      return (ComputedInput(node: ObjectIdentifier(end), last: last), Set(Self.sum(of: end).keys))
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
