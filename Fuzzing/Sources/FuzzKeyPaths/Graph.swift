import FuzzSupport
@testable import KeyValueObservingCore

/// Objects that lead to each other, and how they are changed.
final class Graph {
  let root: Person
  /// All of them, so that all can be looked at and no circle is left.
  private(set) var objects: [any KeyValueObservable] = []
  /// Keeps who is held weakly.
  private(set) var friend: Person?

  enum Shape: CaseIterable {
    /// Every link leads to an object of the class that it declares, no collection is empty, and no number is nil.
    case declared
    /// Nothing is there but what has to be.
    case sparse
    /// Links lead to subclasses, and back to where they began.
    case subclasses, circles
  }

  init(_ shape: Shape) {
    root = shape == .subclasses ? Manager("Root") : Person("Root")
    adopt(root)
    if shape != .sparse { fill(shape) }
  }

  private func fill(_ shape: Shape) {
    let boss = shape == .subclasses ? Manager("Boss") : Person("Boss")
    let friend = Person("Friend")
    let items = [Item(2), Item(7)]
    items[0].maker = boss
    items[1].maker = friend
    for item in items { item.tags = ["c"] }
    if shape == .declared { for item in items { item.weight = 1 } }
    for person in [root, boss, friend] {
      adopt(person)
      person.items = items
      person.itemSet = Set(items)
      person.optionalItems = items
      person.shelves = [items, [items[1]]]
      person.tags = ["a", "b"]
      person.counts = ["a": 1, "b": 2]
      person.owners = ["a": boss]
      person.document = KeyValueDictionary([
        "a": ["b": 1, "c": [1, 2]] as [String: Any?], "items": [["price": 3]], "n": nil,
      ])
      person.note = "note"
      person.friend = friend
      person.home.city = "Bonn"
      person.home.owner = boss
      person.anything = shape == .declared ? nil : items[0]
      person.object = shape == .declared ? nil : Stone()
      person.boss = shape == .circles ? root : boss
    }
    items.forEach(adopt)
    (root as? Manager)?.reports = [boss, friend]
    self.friend = friend
  }

  func adopt(_ object: any KeyValueObservable) {
    objects.append(object)
    if let person = object as? Person { objects += [person.home, person.document] }
  }

  func dropFriend() {
    objects.removeAll { $0 === friend }
    for case let person as Person in objects where person.boss === friend { person.boss = nil }
    for case let item as Item in objects where item.maker === friend { item.maker = nil }
    for case let manager as Manager in objects { manager.reports = [] }
    friend = nil
  }

  /// All that is stored, as text.
  var state: String {
    objects.map { object in
      let table = PropertyTable.of(type(of: object))
      let stored = table.properties.filter { $0.kind != .computed }
      let values = stored.map { "\($0.key): \(Self.text(of: $0.value(of: object)))" }
      return Self.text(of: object) + values.joined(separator: "; ")
    }.joined(separator: "\n")
  }

  /// A value with what its dictionaries hold, which are objects and have no key table.
  private static func text(of value: Any?, depth: Int = 0) -> String {
    valueText(value) { object in
      guard depth < 4, let dictionary = object as? KeyValueDictionary else { return nil }
      let entries = dictionary.keys.sorted().map { key in
        "\(key): \(text(of: dictionary[key], depth: depth + 1))"
      }
      return "{\(entries.joined(separator: ", "))}"
    }
  }

  var isObserved: Bool { objects.contains { $0.observationContext.isObjectObserved } }

  func checkInvariants() { for object in objects { object.observationContext.checkInvariants() } }

  /// Takes out all that one object may hold of another: what was written may have closed a circle.
  func clear() {
    for object in objects {
      switch object {
      case let person as Person:
        Self.empty(person.document)
        person.clear()
      case let item as Item: item.maker = nil
      case let dictionary as KeyValueDictionary: Self.empty(dictionary)
      default: break
      }
    }
    friend = nil
  }

  private static func empty(_ value: Any?) {
    switch value {
    case let dictionary as KeyValueDictionary:
      for key in Array(dictionary.keys) {
        let value = dictionary[key]
        dictionary.removeValue(forKey: key)
        empty(value)
      }
    case let elements as [Any?]: elements.forEach(empty)
    default: break
    }
  }
}
