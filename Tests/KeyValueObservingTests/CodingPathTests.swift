import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Key paths of key-value coding")
  struct CodingPathTests {
    private let recorder = Recorder()
    private let shop = Shop(Item("b", price: 3, tags: ["x", "y"]), Item(nil, price: 1))

    private func value(_ keyPath: String) throws -> Any? { try shop.value(forKeyPath: keyPath) }

    private func error(_ keyPath: String) -> KeyValueCodingError? {
      thrown { try shop.value(forKeyPath: keyPath) }
    }

    private func error(setting keyPath: String, to value: Any?) -> KeyValueCodingError? {
      thrown { try shop.setValue(value, forKeyPath: keyPath) }
    }

    // MARK: Reading

    @Test("P42: a nil link is nil, and self is the object itself")
    func links() throws {
      #expect(try value("featured.place.city") == nil)
      #expect(try value("self") as? Shop === shop)
      #expect(try value("self.items.self.@count") as? Int == 2)
    }

    @Test("P42: a key path reads each property on the way once")
    func readsOnce() throws {
      let outer = CountingNode()
      let inner = CountingNode()
      outer.next = inner
      inner.name = "inner"
      for _ in 0..<3 {
        (outer.reads, inner.reads) = ([], [])
        #expect(try outer.value(forKeyPath: "next.name") as? String == "inner")
      }
      #expect(outer.reads == ["next"])
      #expect(inner.reads == ["name"])
      #expect(try inner.value(forKeyPath: "next.name") == nil)
    }

    @Test("P42: an unknown key in a path names the class that lacks it")
    func unknownKey() {
      shop.featured = Item("a")
      #expect(
        error("featured.nmae") == .undefinedKey("nmae", type: Item.self, suggestion: "name"))
      #expect(
        error("items.nmae") == .undefinedKey("nmae", type: Item.self, suggestion: "name"))
    }

    @Test(
      "P42: a path with an empty component is refused, for reading and writing",
      arguments: ["", ".", "..", ".items", "items.", "featured..name"])
    func empty(keyPath: String) {
      let reason: KeyValueCodingError.KeyPathReason = keyPath.isEmpty ? .empty : .emptyComponent
      #expect(error(keyPath) == .invalidKeyPath(keyPath, reason: reason))
      #expect(error(setting: keyPath, to: 1) == .invalidKeyPath(keyPath, reason: reason))
    }

    @Test("P42: a plain value has no keys")
    func plainValue() {
      shop.featured = Item("a")
      #expect(
        error("featured.name.length")
          == .notObservable(keyPath: "featured.name.length", key: "name", type: String.self))
      #expect(
        error("items.tags.length")
          == .notObservable(keyPath: "items.tags.length", key: "tags", type: String.self))
      #expect(
        error("items.@sum.price.x")
          == .notObservable(keyPath: "items.@sum.price.x", key: "price", type: Int.self))
    }

    @Test("P42: a key of an array is an array of its values, nil where one is nil")
    func arrays() throws {
      #expect(try value("items.name") as? [String?] == ["b", nil])
      #expect(try value("items.price") as? [Int] == [3, 1])
      shop.optionalItems = [nil, Item("c")]
      #expect(try value("optionalItems.name") as? [String?] == [nil, "c"])
    }

    @Test("P42: a key of a set is a set of its values, without nil")
    func sets() throws {
      shop.itemSet = [Item("a", price: 1), Item("b", price: 1), Item(nil, price: 2)]
      #expect(try value("itemSet.price") as? Set<Int> == [1, 2])
      #expect(try value("itemSet.name") as? Set<String> == ["a", "b"])
      shop.anything = [nil, Item("c")] as Set<Item?>
      #expect(try value("anything.name") as? Set<String> == ["c"])
    }

    @Test("P42: values that no Swift set can hold are an array, and the path goes on")
    func unhashable() throws {
      let item = Item("a")
      item.place.city = "Rome"
      shop.itemSet = [item]
      #expect((try value("itemSet.place") as? [Place])?.first === item.place)
      #expect(try value("itemSet.place.city") as? Set<String> == ["Rome"])
    }

    @Test("P42: every key of an empty collection is an empty one")
    func emptyCollection() throws {
      #expect(try value("shelves.nonsense") as? [Int] == [])
      #expect(try value("itemSet.nonsense") as? Set<Int> == [])
    }

    @Test("P42: mapping nests, maps on, and passes nil on")
    func nesting() throws {
      shop.shelves = [[Item("a"), Item(nil)], [], [Item("b")]]
      #expect(try value("shelves.name") as? [[String?]] == [["a", nil], [], ["b"]])
      #expect(try value("items.tags") as? [[String]] == [["x", "y"], []])
      shop.optionalItems = [nil, Item("c")]
      #expect(try value("optionalItems.place.city") as? [String?] == [nil, nil])
      shop.anything = [[shop.itemSet], [[Item("d", price: 4)] as Set]]
      #expect(try value("anything.price") as? [[Set<Int>]] == [[[]], [[4]]])
    }

    @Test("P42: the key count of a collection is mapped like any other")
    func plainCount() {
      #expect(error("items.count") == .undefinedKey("count", type: Item.self, suggestion: nil))
    }

    @Test("P42: an operator is no key")
    func operatorAsKey() {
      let error = thrown(KeyValueCodingError.self) { try shop.value(forKey: "@count") }
      #expect(error == .undefinedKey("@count", type: Shop.self, suggestion: nil))
    }

    @Test("P42: a missing key of a dictionary is nil, and a dot separates keys")
    func dictionaries() throws {
      shop.settings = ["a": 1, "b.c": 2]
      shop.nested = ["a": ["b": 3]]
      shop.rows = [["a": 1], ["b": 2]]
      shop.owners = ["a": Item("Ann")]
      #expect(same(try value("settings.a"), 1))
      #expect(try value("settings.c") == nil)
      #expect(try value("settings.b.c") == nil)
      #expect(same(try value("nested.a.b"), 3))
      #expect(try value("rows.a") as? [Int?] == [1, nil])
      #expect(same(try value("owners.a.name"), "Ann"))
    }

    @Test("P42: the keys of a KeyValueDictionary may be anything, paths lead through it")
    func keyValueDictionary() throws {
      let object = KeyValueDictionary([
        "a.b": 1, "@type": "T", "ключ": ["x": 2], "rows": [["n": 1], ["n": nil], [:]], "": 3,
      ])
      #expect(same(try object.value(forKey: "a.b"), 1))
      #expect(same(try object.value(forKey: "@type"), "T"))
      #expect(same(try object.value(forKey: ""), 3))
      #expect(same(try object.value(forKeyPath: "ключ.x"), 2))
      #expect(try object.value(forKeyPath: "missing.too") == nil)
      #expect(try object.value(forKeyPath: "rows.n") as? [Int?] == [1, nil, nil])
      #expect(same(try object.value(forKeyPath: "rows.@sum.n"), 1))
      // A mark that combines with the dot before it does not hide the dot.
      object["\u{301}b"] = ["c": 4]
      #expect(same(try object.value(forKeyPath: "self.\u{301}b.c"), 4))
      try object.setValue(5, forKeyPath: "ключ.x")
      #expect(same(try object.value(forKeyPath: "ключ.x"), 5))
      try object.setValue(7, forKeyPath: "rows.n")
      #expect(try object.value(forKeyPath: "rows.n") as? [Int] == [7, 7, 7])
    }

    @Test("P42: keys are equal as strings are, however an accent is written", arguments: [0, 20])
    func canonicallyEqualKeys(othersObserved: Int) throws {
      let object = KeyValueDictionary()
      // An object finds few keys in another way than many.
      let others = try (0..<othersObserved).map { try object.observe("\($0)") { _, _ in } }
      var received: [Int?] = []
      let token = try object.observe("caf\u{E9}.size", options: .new) { _, change in
        received.append(change.newValue as? Int)
      }
      object["cafe\u{301}"] = ["size": 1]
      (object["caf\u{E9}"] as? KeyValueDictionary)?["size"] = 2
      object.removeValue(forKey: "cafe\u{301}")
      object["cafe"] = ["size": 3]
      object["caf\u{E8}"] = ["size": 4]
      object["caf\u{E9}s"] = ["size": 5]
      #expect(received == [1, 2, nil])
      // U+212A is the sign of kelvins, and the same letter to Unicode.
      var kelvins: [Int?] = []
      let sign = try object.observe("\u{212A}", options: .new) { _, change in
        kelvins.append(change.newValue as? Int)
      }
      object["K"] = 6
      object["k"] = 7
      #expect(kelvins == [6])
      withExtendedLifetime((others, token, sign)) {}
    }

    @Test("P21: what a key path through a collection reads is what a property depends on")
    func recorded() {
      let summary = Summary(of: shop)
      let token = summary.observe(\.total, options: .new, changeHandler: recorder.receives("·"))
      shop.items[0].price = 10
      shop.items.append(Item("c", price: 5))
      shop.items[2].price = 6
      #expect(recorder.take() == ["· →11", "· →16", "· →17"])
      withExtendedLifetime(token) {}
    }

    @Test("P21: what the keys on such a path depend on by declaration is followed")
    func declared() {
      let crew = Crew(of: [Person("Ann"), Person("Bea", boss: Person("Cid"))])
      let token = crew.observe(\.total, options: .new, changeHandler: recorder.receives("·"))
      crew.people[0].storedElsewhere = 3
      crew.people[0].age = 1
      crew.people[1].storedElsewhere = 4
      crew.people[1].boss?.age = 1
      #expect(recorder.take() == ["· →3", "· →7"])
      withExtendedLifetime(token) {}
    }

    // MARK: Writing

    @Test("P42: a write through a nil link throws and says where")
    func nilLink() {
      #expect(
        error(setting: "featured.name", to: "x")
          == .nilLink(keyPath: "featured.name", key: "featured"))
      #expect(
        error(setting: "nested.a.b", to: 1) == .nilLink(keyPath: "nested.a.b", key: "a"))
    }

    @Test("P42, P43: a write behind a collection reaches each member once, or none")
    func everyMember() throws {
      let tokens = shop.items.map {
        $0.observe(\.price, options: .new, changeHandler: recorder.receives($0.name ?? "?"))
      }
      try shop.setValue(9, forKeyPath: "items.price")
      #expect(recorder.take() == ["b →9", "? →9"])
      shop.optionalItems = [shop.items[0], nil]
      #expect(
        error(setting: "optionalItems.price", to: 1)
          == .nilLink(keyPath: "optionalItems.price", key: "optionalItems"))
      shop.anything = [shop.items[0], shop.featured ?? Place()] as [Any]
      #expect(
        error(setting: "anything.price", to: 1)
          == .undefinedKey("price", type: Place.self, suggestion: nil))
      #expect(shop.items.map(\.price) == [9, 9])
      #expect(recorder.take() == [])
      shop.shelves = [[shop.items[0]], [shop.items[1]]]
      try shop.setValue(2, forKeyPath: "shelves.price")
      #expect(recorder.take() == ["b →2", "? →2"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P43: a member that stands in a collection twice is set once")
    func repeatedMember() throws {
      let item = shop.items[0]
      let token = item.observe(
        \.price, options: [.old, .new], changeHandler: recorder.receives("price"))
      shop.optionalItems = [item, item]
      shop.shelves = [[item], [item]]
      try shop.setValue(8, forKeyPath: "optionalItems.price")
      try shop.setValue(9, forKeyPath: "shelves.price")
      #expect(recorder.take() == ["price 3→8", "price 8→9"])
      withExtendedLifetime(token) {}
    }

    @Test("P42, P43: a write into a dictionary is one change of the property that holds it")
    func dictionaryEntry() throws {
      shop.nested = ["a": ["b": 3]]
      shop.rows = [["a": 1], [:]]
      shop.owners = ["a": Item("Ann")]
      let token = shop.observe(\.settings, options: .new, changeHandler: recorder.receives("·"))
      try shop.setValue(1, forKeyPath: "settings.a")
      #expect(recorder.take() == [#"· →["a": 1]"#])
      try shop.setValue(nil, forKeyPath: "settings.a")
      #expect(recorder.take() == ["· →[:]"])
      try shop.setValue(4.0, forKeyPath: "nested.a.b")
      #expect(shop.nested == ["a": ["b": 4]])
      try shop.setValue(5, forKeyPath: "rows.a")
      #expect(shop.rows == [["a": 5], ["a": 5]])
      let owner = shop.owners["a"]
      try shop.setValue("Bea", forKeyPath: "owners.a.name")
      #expect(owner?.name == "Bea" && shop.owners["a"] === owner)
      shop.anything = [["a": 1]]
      try shop.setValue("x", forKeyPath: "anything.a")
      #expect(shop.anything as? [[String: String]] == [["a": "x"]])
      withExtendedLifetime(token) {}
    }

    @Test("P42: a write into a dictionary leaves its type, and the entries beside it")
    func dictionaryType() throws {
      shop.anything = ["a": ["b": 1], "c": "x", "rows": [["b": 1]]] as [String: Any]
      try shop.setValue(2, forKeyPath: "anything.a.b")
      try shop.setValue(3, forKeyPath: "anything.rows.b")
      let values = try #require(shop.anything as? [String: Any])
      #expect(values["c"].map { "\($0)" } == "x")
      #expect(values["a"].map { "\($0)" } == #"["b": 2]"#)
      #expect(values["rows"].map { "\($0)" } == #"[["b": 3]]"#)
      shop.anything = [["a": 1, "b": 1], ["a": 1, "b": 2]] as Set
      try shop.setValue(7, forKeyPath: "anything.a")
      #expect(same(shop.anything, [["a": 7, "b": 1], ["a": 7, "b": 2]] as Set))
    }

    @Test("P42: an entry that the dictionary cannot hold throws and changes nothing")
    func dictionaryRefusals() {
      shop.settings = ["a": 1]
      guard case .typeMismatch(_, "settings", _, _, _) = error(setting: "settings.a", to: "x")
      else {
        Issue.record("A text was taken for a number")
        return
      }
      shop.byNumber = [1: "one"]
      #expect(
        error(setting: "byNumber.1", to: "x")
          == .notObservable(keyPath: "byNumber.1", key: "byNumber", type: [Int: String].self))
      #expect(shop.settings == ["a": 1] && shop.byNumber == [1: "one"])
    }

    @Test("P6, P42: no key path leads into a dictionary whose keys are no strings")
    func otherKeys() throws {
      shop.byNumber = [1: "one"]
      let refusal = KeyValueCodingError.notObservable(
        keyPath: "byNumber.1", key: "byNumber", type: [Int: String].self)
      #expect(throws: refusal) { try shop.value(forKeyPath: "byNumber.1") }
      #expect(throws: refusal) { try shop.observe("byNumber.1") { _, _ in } }
      #expect(throws: refusal) { try shop.validateValue("x", forKeyPath: "byNumber.1") }
      #expect(same(try shop.value(forKeyPath: "byNumber.@count"), 1))
    }

    @Test("P42: a key as long as a file is refused without delay", .timeLimit(.minutes(1)))
    func longKey() {
      let key = String(repeating: "n", count: 2_000_000)
      let refusal = KeyValueCodingError.undefinedKey(key, type: Shop.self, suggestion: nil)
      #expect(throws: refusal) { try shop.value(forKey: key) }
    }

    @Test("P42: no path is too long, and one that nests without end is refused")
    func longPaths() throws {
      let person = Person("Ann")
      person.boss = person
      person.staff = [person]
      defer { (person.boss, person.staff) = (nil, []) }
      func path(_ link: String, _ end: String) -> String {
        Array(repeating: link, count: 100_000).joined(separator: ".") + "." + end
      }
      #expect(try person.value(forKeyPath: path("boss", "name")) as? String == "Ann")
      try person.setValue("Bea", forKeyPath: path("boss", "name"))
      try person.setValue(7, forKeyPath: path("staff", "age"))
      #expect(person.name == "Bea" && person.age == 7)
      let nested = KeyValueDictionary()
      var value: Any = person
      for _ in 0..<1000 { value = [value] }
      nested["value"] = value
      let deep: [(any KeyValueObservable, String)] = [
        (person, path("staff", "name")), (person, path("staff.@sum", "age")),
        (person, path("@sum", "staff")), (nested, "value.name"), (nested, "value.@sum.@max.age"),
      ]
      for (object, keyPath) in deep {
        #expect(throws: KeyValueCodingError.self) { try object.value(forKeyPath: keyPath) }
      }
      var entries: Any = ["a": 1]
      for _ in 1..<1000 { entries = ["a": entries] }
      let everything = Types()
      everything.any = entries
      let nests: [(any KeyValueObservable, String)] = [
        (nested, "value.name"),
        (everything, "any." + Array(repeating: "a", count: 1000).joined(separator: ".")),
      ]
      for (object, keyPath) in nests {
        #expect(throws: KeyValueCodingError.self) { try object.setValue("x", forKeyPath: keyPath) }
      }
      #expect(person.name == "Bea")
    }

    @Test("P42: neither an operator nor the object itself can be set")
    func unsettable() {
      for keyPath in ["items.@count", "@sum.price", "items.@max.price", "self", "self.self"] {
        guard case .invalidKeyPath(keyPath, _) = error(setting: keyPath, to: 1) else {
          Issue.record("\(keyPath)")
          continue
        }
      }
      shop.featured = Item("a")
      #expect(
        error(setting: "featured.name.x", to: 1)
          == .notObservable(keyPath: "featured.name.x", key: "name", type: String.self))
    }
  }
}

/// Depends on what a string key path reads.
@KeyValueObservable
final class Summary {
  let shop: Shop
  init(of shop: Shop) { self.shop = shop }
  var total: Int? { try? shop.value(forKeyPath: "items.@sum.price") as? Int }
}

@KeyValueObservable
final class Crew {
  let people: [Person]
  init(of people: [Person]) { self.people = people }
  var total: Int? { try? value(forKeyPath: "people.@sum.declared") as? Int }
}
