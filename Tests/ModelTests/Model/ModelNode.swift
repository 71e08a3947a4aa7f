/// A node of the model: nothing but its values.
final class ModelNode {
  let number: Int
  let isBranch: Bool
  var x = 0
  /// For a node of the subclass, the part that its superclass stores.
  var storedY = 0
  var bonus = 0
  var tags: [Int] = []
  var next: ModelNode?
  /// Emptied by the model when the friend is deallocated.
  var friend: ModelNode?

  init(number: Int, isBranch: Bool) {
    self.number = number
    self.isBranch = isBranch
  }

  var y: Int {
    get { storedY + bonus }
    set { storedY = newValue - bonus }
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
    case .echo: .number((friend?.x ?? -1) + tags.count)
    case .bonus: .number(bonus)
    }
  }

  private var sum: Int { x + y + bonus }

  func set(_ key: Key, to operand: Operand, _ variables: [ModelNode?]) {
    switch operand {
    case .number(let number):
      switch key {
      case .x: x = number
      case .bonus: bonus = number
      default: y = number
      }
    case .list(let list): tags = list
    case .node(let variable):
      let target = variable.flatMap { variables[$0] }
      if key == .next { next = target } else { friend = target }
    }
  }

  /// Mutates a property in place.
  func mutate(by mutation: Mutation) {
    switch mutation {
    case .add(.x, let number): x += number
    case .add(_, let number): y += number
    case .append(let element), .failAfterAppending(let element): tags.append(element)
    case .removeAll(let element): tags.removeAll { $0 == element }
    }
  }

  /// Whether a getter computes the value, from nothing but the inputs or from its own key as well.
  func isComputed(_ key: Key) -> Bool { key.isComputed || key == .y && isBranch }

  /// The stored properties that a computed one reads, besides its own key.
  func inputs(of key: Key) -> [Place] {
    let reads: [[Place]] =
      switch key {
      case .y: [isBranch ? [Place(number, .bonus)] : []]
      case .sum: [sumInputs]
      case .reach: [yInputs, [Place(number, .next)], next.map { [Place($0.number, .x)] } ?? []]
      case .total: [sumInputs, [Place(number, .next)], next?.sumInputs ?? []]
      case .echo:
        [
          [Place(number, .friend)], friend.map { [Place($0.number, .x)] } ?? [],
          [Place(number, .tags)],
        ]
      default: []
      }
    return reads.flatMap(\.self)
  }

  private var yInputs: [Place] { [Place(number, .y)] + inputs(of: .y) }
  private var sumInputs: [Place] { [Place(number, .x)] + yInputs }
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
