/// A node of the model: nothing but its values.
final class ModelNode {
  let number: Int
  var x = 0
  var y = 0
  var tags: [Int] = []
  var next: ModelNode?
  /// Emptied by the model when the friend is deallocated.
  var friend: ModelNode?

  init(number: Int) {
    self.number = number
  }

  func link(_ key: Key) -> ModelNode? { key == .next ? next : friend }

  /// Whether links lead from the node back to it.
  var leadsToItself: Bool {
    var seen: Set<Int> = []
    var open = [self]
    while let node = open.popLast() {
      for next in [node.next, node.friend].compactMap(\.self) {
        if next === self { return true }
        if seen.insert(next.number).inserted { open.append(next) }
      }
    }
    return false
  }

  func value(_ key: Key) -> Value {
    switch key {
    case .x: .number(x)
    case .y: .number(y)
    case .tags: .list(tags)
    case .next: next.map { .node($0.number) } ?? .none
    case .friend: friend.map { .node($0.number) } ?? .none
    case .sum: .number(sum)
    case .reach: .number(y + (next?.x ?? -1))
    case .total: .number(sum + (next?.sum ?? -1))
    case .echo: .number(friend?.x ?? -1)
    }
  }

  private var sum: Int { x + y }

  func set(_ key: Key, to operand: Operand, _ variables: [ModelNode?]) {
    switch operand {
    case .number(let number): if key == .x { x = number } else { y = number }
    case .list(let list): tags = list
    case .node(let variable):
      let target = variable.flatMap { variables[$0] }
      if key == .next { next = target } else { friend = target }
    }
  }

  /// The stored properties that a computed one reads.
  func inputs(of key: Key) -> [Place] {
    func own(_ keys: Key...) -> [Place] { keys.map { Place(number, $0) } }
    func behind(_ node: ModelNode?, _ keys: Key...) -> [Place] {
      keys.compactMap { key in node.map { Place($0.number, key) } }
    }
    return switch key {
    case .sum: own(.x, .y)
    case .reach: own(.y, .next) + behind(next, .x)
    case .total: own(.x, .y, .next) + behind(next, .x, .y)
    case .echo: own(.friend) + behind(friend, .x)
    default: []
    }
  }
}

/// A property of a node.
struct Place: Hashable {
  let node: Int
  let key: Key

  init(_ node: Int, _ key: Key) {
    self.node = node
    self.key = key
  }
}
