import KeyValueObserving

/// Has properties of every kind that a key path can meet.
@KeyValueObservable
class Person {
  var name: String
  var age = 3
  var note: String?
  var boss: Person?
  var home = Home()
  weak var friend: Person?
  var frame = Frame()
  var items: [Item] = []
  var itemSet: Set<Item> = []
  var optionalItems: [Item?] = []
  var shelves: [[Item]] = []
  var tags: [String] = []
  var counts: [String: Int] = [:]
  var owners: [String: Person] = [:]
  var document = KeyValueDictionary()
  var anything: Any?
  var object: AnyObject?
  private var secret = 1
  private(set) var sealed = 1
  let id = 1

  init(_ name: String) {
    self.name = name
    Census.count += 1
  }

  deinit { Census.count -= 1 }

  var title: String { "\(name) of \(home.city ?? boss?.name ?? "nowhere")" }
  var total: Int { items.reduce(secret) { $0 &+ $1.price } }
  var nearest: Person? { friend ?? boss }
  var superior: Person? {
    get { boss }
    set { boss = newValue }
  }

  /// Lets go of all that may lead back here.
  func clear() {
    (boss, friend, anything, object) = (nil, nil, nil, nil)
    (items, itemSet, optionalItems, shelves, owners) = ([], [], [], [], [:])
    (home, document) = (Home(), KeyValueDictionary())
  }
}

@KeyValueObservable
final class Manager: Person {
  var budget = 1.5
  var reports: [Person] = []
  var cost: Double { Double(reports.count) * budget }

  override func clear() {
    super.clear()
    reports = []
  }
}

@KeyValueObservable
final class Home {
  var city: String?
  weak var owner: Person?

  init() { Census.count += 1 }
  deinit { Census.count -= 1 }
}

@KeyValueObservable
final class Item: Hashable {
  var price: Int
  var weight: Double?
  var tags: [String] = []
  var maker: Person?

  init(_ price: Int) {
    self.price = price
    Census.count += 1
  }

  deinit { Census.count -= 1 }

  static func == (left: Item, right: Item) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Has no keys.
struct Frame: Equatable {
  var width = 4.0
}

/// Cannot be observed.
final class Stone {}

/// How many objects there are.
enum Census {
  nonisolated(unsafe) static var count = 0
}
