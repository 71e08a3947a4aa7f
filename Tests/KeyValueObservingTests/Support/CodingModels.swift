import KeyValueObserving

/// Has properties of many types, to be read and written by key.
@KeyValueObservable
final class Shop {
  var items: [Item] = []
  var shelves: [[Item]] = []
  var optionalItems: [Item?] = []
  var itemSet: Set<Item> = []
  var featured: Item?
  var settings: [String: Int] = [:]
  var nested: [String: [String: Int]] = [:]
  var byNumber: [Int: String] = [:]
  var owners: [String: Item] = [:]
  var rows: [[String: Int]] = []
  var anything: Any?
  var existential: any Hashable = 1

  init(_ items: Item...) { self.items = items }
}

@KeyValueObservable
final class Item: Hashable, CustomStringConvertible {
  var name: String?
  var price: Int
  var weight: Double?
  var tags: [String]
  var codes: Set<Int>
  var place = Place()
  var isSold = false
  let id: Int

  init(
    _ name: String?, price: Int = 0, weight: Double? = nil, tags: [String] = [],
    codes: Set<Int> = [], id: Int = 0
  ) {
    self.name = name
    self.price = price
    self.weight = weight
    self.tags = tags
    self.codes = codes
    self.id = id
  }

  var description: String { "item \(name ?? "?")" }

  static func == (left: Item, right: Item) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Can neither be hashed nor compared.
@KeyValueObservable
final class Place {
  var city: String?
}

/// A property of each type to which values are converted.
@KeyValueObservable
final class Types {
  var int8: Int8 = 0
  var uint: UInt = 0
  var int: Int? = 0
  var int128: Int128 = 0
  var float: Float = 0
  var double = 0.0
  var bool = false
  var string = ""
  var character: Character = "a"
  var strings: [String] = []
  var optionalStrings: [String?] = []
  var doubles: ContiguousArray<Double> = []
  var ints: Set<Int> = []
  var counts: [String: Int] = [:]
  var names: [Int: String] = [:]
  var matrix: [[Double]] = []
  var state = State.draft
  var flags: Flags = []
  var any: Any?
  var existential: (any Hashable)?
  var range = 0..<1

  enum State: String, Comparable {
    case draft, published
    static func < (left: State, right: State) -> Bool { left == .draft && right == .published }
  }

  struct Flags: OptionSet {
    let rawValue: UInt8
  }
}

/// Has hooks of its own for every question of key-value coding.
@KeyValueObservable
final class Flexible {
  var age = 5
  var count = 5
  var name: String? = "a"
  @KeyValueIgnored var extras: [String: Any] = ["colour": "red"]

  func value(forUndefinedKey key: String) throws(KeyValueCodingError) -> Any? {
    if key.hasPrefix("x-") { return "computed \(key)" }
    guard let value = extras[key] else {
      throw .undefinedKey(key, type: Flexible.self, suggestion: nil)
    }
    return value
  }

  func setValue(_ value: Any?, forUndefinedKey key: String) throws(KeyValueCodingError) {
    guard extras.keys.contains(key) else {
      throw .undefinedKey(key, type: Flexible.self, suggestion: nil)
    }
    extras[key] = value
  }

  func setNilValueForKey(_ key: String) throws(KeyValueCodingError) {
    guard key == "age" else {
      throw .nilForNonOptional(type: Flexible.self, key: key, expected: Int.self)
    }
    age = 0
  }

  struct TooYoung: Error, Equatable { let age: Int }

  func validateValue(_ value: Any?, forKey key: String) throws -> Any? {
    switch (key, value) {
    case ("age", let age as Int) where age < 0: throw TooYoung(age: age)
    case ("age", let age as Int): min(age, 150)
    case ("name", let name as String): name.isEmpty ? nil : name
    default: value
    }
  }
}

/// An open-ended class whose subclasses may have hooks: it declares them itself.
@KeyValueObservable
class Account {
  var owner = ""

  func value(forUndefinedKey key: String) throws(KeyValueCodingError) -> Any? {
    throw .undefinedKey(key, type: Self.self, suggestion: nil)
  }
}

final class SavingsAccount: Account {
  override func value(forUndefinedKey key: String) throws(KeyValueCodingError) -> Any? {
    key == "rate" ? 3 : try super.value(forUndefinedKey: key)
  }
}

/// Not a class, not hashable, not equatable, not comparable.
struct Opaque {}
