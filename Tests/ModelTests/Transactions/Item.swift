import KeyValueObserving

/// An object of the programs with transactions, undo and bindings.
@KeyValueObservable
class Item {
  var x = 0
  var y = 0
  /// Stores at most 5, and sets another property.
  var level = 0 {
    didSet {
      if level > 5 { level = 5 }
      mark = level * 2
    }
  }
  var mark = 0
  var tags: [Int] = []
  var members: Set<Int> = []
  var next: Item?
  weak var friend: Item?

  var sum: Int { x + y }
  var reach: Int { y + (next?.x ?? -1) }
  var total: Int { sum + mark + (next?.sum ?? -1) }
  var echo: Int { (friend?.x ?? -1) + tags.count + members.count }

  let number: Int
  @KeyValueIgnored private let census: Census

  init(number: Int, census: Census) {
    self.number = number
    self.census = census
    census.alive += 1
  }

  deinit {
    census.alive -= 1
  }
}

/// Computes a property that its superclass stores, and another one than its superclass does.
@KeyValueObservable
final class BranchItem: Item {
  var bonus = 0

  override var y: Int {
    get { super.y + bonus }
    set { super.y = newValue - bonus }
  }
  override var sum: Int { super.sum + bonus }
}

/// A property of `Item`, or of its subclass.
enum ItemKey: String, Hashable, Sendable {
  case x, y, level, mark, tags, members, next, friend
  case sum, reach, total, echo
  /// Only a `BranchItem` has it; its `y` and `sum` depend on it.
  case bonus

  static let stored: [ItemKey] = [.x, .y, .level, .mark, .tags, .members, .next, .friend]
  static let computed: [ItemKey] = [.sum, .reach, .total, .echo]
  static let links: [ItemKey] = [.next, .friend]

  var isComputed: Bool { ItemKey.computed.contains(self) }
  var isLink: Bool { ItemKey.links.contains(self) }
}

/// A property of an item, which is named by its number.
struct ItemPlace: Hashable {
  let item: Int
  let key: ItemKey

  init(item: Int, key: ItemKey) {
    self.item = item
    self.key = key
  }

  init(_ item: Item, _ key: ItemKey) { self.init(item: item.number, key: key) }
}

/// All that can be read of an item and is stored.
struct ItemState: Equatable {
  var values: [ItemKey: Value]

  init(of item: Item) {
    let keys = ItemKey.stored + (item is BranchItem ? [.bonus] : [])
    values = Dictionary(uniqueKeysWithValues: keys.map { ($0, item.read($0)) })
  }
}

extension Item {
  func read(_ key: ItemKey) -> Value {
    switch key {
    case .x: .number(x)
    case .y: .number(y)
    case .level: .number(level)
    case .mark: .number(mark)
    case .tags: .list(tags)
    case .members: .list(members.sorted())
    case .next: Value(of: next)
    case .friend: Value(of: friend)
    case .sum: .number(sum)
    case .reach: .number(reach)
    case .total: .number(total)
    case .echo: .number(echo)
    case .bonus: .number((self as? BranchItem)?.bonus ?? 0)
    }
  }

  func link(_ key: ItemKey) -> Item? { key == .next ? next : friend }

  /// The item at which a path ends, nil if one before it is nil.
  func end(of path: [ItemKey]) -> Item? {
    path.dropLast().reduce(Optional(self)) { $0?.link($1) }
  }

  func read(_ path: [ItemKey]) -> Value { end(of: path)?.read(path[path.count - 1]) ?? .none }

  /// The stored properties from which a value along a path is computed, but for those that lead to the item
  /// which has it, and those.
  func inputs(of path: [ItemKey]) -> (values: Set<ItemPlace>, links: Set<ItemPlace>) {
    var links: Set<ItemPlace> = []
    var item = self
    for key in path.dropLast() {
      links.insert(ItemPlace(item, key))
      guard let next = item.link(key) else { return ([], links) }
      item = next
    }
    return (item.inputs(of: path[path.count - 1]), links)
  }

  private func inputs(of key: ItemKey) -> Set<ItemPlace> {
    var inputs: Set<ItemPlace> = key.isComputed ? [] : [ItemPlace(self, key)]
    func add(_ keys: ItemKey..., of item: Item?) {
      for key in keys { if let item { inputs.formUnion(item.inputs(of: key)) } }
    }
    switch key {
    case .y: if self is BranchItem { add(.bonus, of: self) }
    case .sum: add(.x, .y, of: self)
    case .reach:
      add(.y, .next, of: self)
      add(.x, of: next)
    case .total:
      add(.sum, .mark, .next, of: self)
      add(.sum, of: next)
    case .echo:
      add(.friend, .tags, .members, of: self)
      add(.x, of: friend)
    default: break
    }
    return inputs
  }
}
