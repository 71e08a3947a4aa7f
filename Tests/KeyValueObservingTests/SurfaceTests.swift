import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Surfaces")
  struct SurfaceTests {
    private let recorder = Recorder()

    @Test("P8: onChange has three forms: a value, several key paths, several strings")
    func onChange() throws {
      let person = Person("Ann")
      let tokens = [
        person.onChange(of: \.name) { self.recorder.write("name is \($0)") },
        person.onChange(of: \.name, \.age, \.title, \.boss?.age) { self.recorder.write("any") },
        try person.onChange("name", "boss.name") { self.recorder.write("string") },
      ]
      person.name = "Bob"
      #expect(recorder.take() == ["name is Bob", "any", "string", "any"])
      person.age = 1
      #expect(recorder.take() == ["any", "any"])
      person.boss = Person("b")
      #expect(recorder.take() == ["any", "string"])
      tokens.forEach { $0.invalidate() }
      person.name = "Cid"
      #expect(recorder.take() == [])
    }

    @Test("P11: several key paths receive a set that comes before the change of their object")
    func severalInCallback() {
      let (ann, bob) = (Person("Ann", boss: Person("Top")), Person("Bob"))
      let tokens = [
        ann.observe(\.boss) { ann, _ in ann.boss?.name = "Robert" },
        // So that there are values, for which the closure below has not asked.
        bob.observe(\.name, options: [.old, .new], changeHandler: recorder.receives("name")),
        ann.onChange(of: \.boss?.name, \.age) { self.recorder.write("any \(ann.boss!.name)") },
      ]
      ann.boss = bob
      #expect(recorder.take() == ["name Bob→Robert", "any Robert", "any Robert"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P33: KeyValueObserver requests new and initial by default")
    func observerDefaults() throws {
      let person = Person("Ann")
      let typed = KeyValueObserver(
        source: person, keyPath: \.name, callback: recorder.callback("typed"))
      let string = try KeyValueObserver(
        source: person, keyPath: "name", callback: recorder.callback("string"))
      person.name = "Bob"
      #expect(recorder.take() == ["typed →Ann", "string →Ann", "typed →Bob", "string →Bob"])
      withExtendedLifetime((typed, string)) {}
    }

    @Test("P2: a change is printed in one line, which leaves out what is absent")
    func text() {
      typealias Change = KeyValueChange<Int?>
      let rows: [(String, any CustomStringConvertible)] = [
        ("setting", Change()),
        ("setting to 2", Change(newValue: 2)),
        ("setting to nil", Change(newValue: .some(nil))),
        ("setting from 1 to 2", Change(newValue: 2, oldValue: 1)),
        ("setting from nil to 2", Change(newValue: 2, oldValue: .some(nil))),
        ("setting from 1", Change(oldValue: 1)),
        ("setting to nil", KeyValueChange<Any?>(newValue: .some(nil))),
        ("prior setting from 1", Change(oldValue: 1, isPrior: true)),
        ("setting to 2, path changed", Change(newValue: 2, reason: .pathChanged)),
        ("setting, source deleted", Change(reason: .sourceDeleted)),
        (
          #"insertion of ["a"] at 2"#,
          KeyValueChange(kind: .insertion, newValue: ["a"], indexes: RangeSet(2..<3))
        ),
        ("removal at 0, 2...4", Change(kind: .removal, indexes: RangeSet([0..<1, 2..<5]))),
        (
          #"prior removal of ["a"] at 0"#,
          KeyValueChange(
            kind: .removal, oldValue: ["a"], indexes: RangeSet(0..<1), isPrior: true)
        ),
        (
          "replacement from [1] to [2] at 0",
          KeyValueChange(
            kind: .replacement, newValue: [2], oldValue: [1], indexes: RangeSet(0..<1))
        ),
        (#"setting to "two lines""#, KeyValueChange(newValue: "two\nlines")),
        (
          "setting to \"\(String(repeating: "x", count: 80))…\"",
          KeyValueChange(newValue: String(repeating: "x", count: 100))
        ),
      ]
      for (text, change) in rows { #expect(change.description == text) }
    }

    @Test("P2: a dump of a change has every part by name, absent or not")
    func dumped() {
      var text = ""
      dump(
        KeyValueChange(kind: .insertion, newValue: ["a"], indexes: RangeSet(2..<3)), to: &text)
      for part in ["kind: ", "newValue: ", "oldValue: nil", "indexes: ", "isPrior: ", "reason: "] {
        #expect(text.contains("- \(part)") || text.contains("▿ \(part)"), "\(text)")
      }
    }

    @Test("P37: a change of elements is printed in one line, of many elements the first ones")
    func elementsText() {
      func text(from old: [String], to new: [String]) -> String {
        "\(KeyValueElementsChange(difference: new.difference(from: old)))"
      }
      #expect(text(from: ["a", "b"], to: ["b", "c"]) == #"removed "a" at 0; inserted "c" at 1"#)
      #expect(text(from: [], to: ["a", "b"]) == #"inserted "a" at 0, "b" at 1"#)
      #expect(text(from: ["a"], to: ["a"]) == "no elements")
      let many = text(from: (0..<10).map(String.init), to: [])
      #expect(many.hasSuffix(#", "7" at 7 and 2 more"#))
    }

    @Test("P35: a proxy is printed as its elements")
    func proxyText() {
      let drawer = Drawer()
      #expect("\(drawer.mutableArrayValue(for: \.labels))" == "[\"a\", \"b\"]")
      #expect("\(drawer.mutableSetValue(for: \.marks))" == "[1]")
    }

    @Test("P2: a change can be made by hand, for tests of code that takes one")
    func handMadeChange() {
      var change = KeyValueChange(
        kind: .insertion, newValue: ["a"], indexes: RangeSet(1..<2), isPrior: true)
      #expect(change.indexes == RangeSet(1..<2) && change.oldValue == nil)
      change.indexes = nil
      #expect(change == KeyValueChange(kind: .insertion, newValue: ["a"], isPrior: true))
      #expect(KeyValueChangeKind.setting.rawValue == 1)
      #expect(KeyValueChangeKind.replacement.rawValue == 4)
      let bits = [
        KeyValueObservation.Options.new, .old, .initial, .prior,
      ].map(\.rawValue)
      #expect(bits == [1, 2, 4, 8])
    }

    @Test(
      "P2: the parts of a change do not touch each other",
      arguments: [KeyValueChangeKind.setting, .insertion, .removal, .replacement],
      [KeyValueChangeReason.valueChanged, .pathChanged, .sourceDeleted])
    func partsOfChange(kind: KeyValueChangeKind, reason: KeyValueChangeReason) {
      for isPrior in [false, true] {
        let made = KeyValueChange(kind: kind, newValue: 1, isPrior: isPrior, reason: reason)
        var changed = KeyValueChange(
          kind: .replacement, newValue: 1, isPrior: !isPrior, reason: .pathChanged)
        changed.kind = kind
        changed.isPrior = isPrior
        changed.reason = reason
        for change in [made, changed] {
          #expect(change.kind == kind && change.reason == reason && change.isPrior == isPrior)
        }
        #expect(made == changed)
      }
    }

    @Test("P25: key paths cross from a class into a dictionary and back")
    func crossing() throws {
      let document = KeyValueDictionary(["author": ["name": "Ann"], "tags": ["a", ["x": 1]]])
      let node = MacroNode()
      node.child = document
      let token = try node.observe(
        "child.author.boss.name", options: [.new, .old], changeHandler: recorder.receives("·"))
      let person = Person("Bea", boss: Person("Top"))
      document["author"] = person
      person.boss?.name = "top"
      document["author"] = ["boss": ["name": "json"]]
      node.child = nil
      #expect(
        recorder.take() == [
          "· nil→Top path", "· Top→top", "· top→json path", "· json→nil path",
        ])
      withExtendedLifetime(token) {}
    }

    @Test("P6: a dictionary takes every key, and a missing one reads as nil")
    func missingKeys() throws {
      let document = KeyValueDictionary()
      let token = try document.observe(
        "new", options: [.new, .old], changeHandler: recorder.receives("·"))
      document["new"] = 1
      document.removeValue(forKey: "new")
      #expect(document["new"] == nil && document.keys.isEmpty)
      #expect(recorder.take() == ["· nil→1", "· 1→nil"])
      withExtendedLifetime(token) {}
    }

    @Test("P38: a dictionary with thousands of observed keys finds each")
    func manyKeys() throws {
      let document = KeyValueDictionary()
      let tokens = try (0..<3000).map { number in
        try document.observe("key \(number)") { _, _ in self.recorder.write("\(number)") }
      }
      document["key 0"] = 1
      document["key 17"] = 1
      document["key 2999"] = 1
      #expect(recorder.take() == ["0", "17", "2999"])
      withExtendedLifetime(tokens) {}
    }
  }
}

@KeyValueObservable
private final class Drawer {
  var labels = ["a", "b"]
  var marks: Set = [1]
}
