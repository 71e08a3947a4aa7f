import KeyValueObserving
import Testing

/// Has a temperature under two keys, neither of which is a property.
private final class Thermometer: KeyValueObservable {
  let keyValueRegistrar = KeyValueRegistrar()
  static func keyValueProperties() -> [KeyValueProperty] { [] }
  var celsius = 1.0

  func value(forUndefinedKey key: String) throws(KeyValueCodingError) -> Any? {
    key == "celsius" ? celsius : celsius * 1.8 + 32
  }

  func setValue(_ value: Any?, forUndefinedKey key: String) throws(KeyValueCodingError) {
    guard let value = value as? Double, key != "kelvin" else {
      throw .undefinedKey(key, type: Thermometer.self, suggestion: nil)
    }
    celsius = key == "celsius" ? value : (value - 32) / 1.8
  }
}

extension AllTests {
  @Suite("Several keys at once, validation, and keys that are not there")
  struct BulkCodingTests {
    private let recorder = Recorder()

    private func error(_ body: () throws -> Void) -> KeyValueCodingError? { thrown(by: body) }

    // MARK: Bulk

    @Test("P42: dictionaryWithValues holds nil for nil, and its keys are no paths")
    func read() throws {
      let person = Person("Ann")
      let values = try person.dictionaryWithValues(forKeys: ["name", "note", "age", "name"])
      #expect(values.keys.sorted() == ["age", "name", "note"])
      #expect(values["name"] as? String == "Ann" && values["age"] as? Int == 0)
      let note = try #require(values["note"])
      #expect(note == nil)
      #expect(try person.dictionaryWithValues(forKeys: []).isEmpty)
      #expect(
        error { _ = try person.dictionaryWithValues(forKeys: ["name", "boss.name"]) }
          == .undefinedKey("boss.name", type: Person.self, suggestion: "bossName"))
    }

    @Test("P43: setValues notifies the observers of each key once, in the order of the keys")
    func write() throws {
      let person = Person("Ann")
      let tokens = try ["age", "name", "note", "title"].map {
        try person.observe($0, options: [.old, .new], changeHandler: recorder.receives($0))
      }
      try person.setValues(["note": nil, "name": "Bea", "age": 3.0])
      #expect(
        recorder.take() == [
          "age 0→3", "title Ann (0)→Ann (3)", "name Ann→Bea", "title Ann (3)→Bea (3)",
          "note nil→nil",
        ])
      try person.setValues([:])
      #expect(recorder.take() == [])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P42: setValues sets all or nothing",
      arguments: [
        ("zzz", 1 as Int?), ("age", nil), ("sealed", 1), ("title", 1), ("friend", 1),
        ("boss.age", 1),
      ])
    func allOrNothing(key: String, value: Int?) {
      let person = Person("Ann")
      let token = person.onChange(of: \.name, \.note) { recorder.write("changed") }
      #expect(error { try person.setValues(["name": "Bea", "note": "x", key: value]) } != nil)
      #expect(person.name == "Ann" && person.note == nil && person.noteSets == 0)
      #expect(recorder.take() == [])
      withExtendedLifetime(token) {}
    }

    @Test("P42: what dictionaryWithValues returns can be set again, nil included")
    func roundTrip() throws {
      let (one, other) = (Person("Ann", boss: Person("Bea")), Person("Cid"))
      other.note = "x"
      let keys = ["name", "age", "boss", "tags", "note", "frame"]
      try other.setValues(one.dictionaryWithValues(forKeys: keys))
      #expect(other.name == "Ann" && other.boss === one.boss && other.note == nil)
    }

    @Test("P42, P43: setValues works on objects whose keys are data")
    func dictionary() throws {
      let object = KeyValueDictionary(["a": 1])
      let token = try object.observe("a", options: .new, changeHandler: recorder.receives("a"))
      try object.setValues(["a": nil, "b": "x"])
      #expect(recorder.take() == ["a →nil"])
      #expect(try object.dictionaryWithValues(forKeys: ["b", "c"])["b"] as? String == "x")
      withExtendedLifetime(token) {}
    }

    // MARK: Keys that are not there, and nil

    @Test("P42: the hooks of a class answer for keys that it does not have")
    func undefinedKeys() throws {
      let object = Flexible()
      #expect(try object.value(forKey: "colour") as? String == "red")
      #expect(try object.value(forKeyPath: "x-1") as? String == "computed x-1")
      try object.setValue("blue", forKey: "colour")
      #expect(object.extras["colour"] as? String == "blue")
      try object.setValue("green", forKeyPath: "self.colour")
      #expect(try object.dictionaryWithValues(forKeys: ["colour"])["colour"] as? String == "green")
      #expect(
        error { _ = try object.value(forKey: "zzz") }
          == .undefinedKey("zzz", type: Flexible.self, suggestion: nil))
      #expect(
        error { try object.setValue(1, forKey: "") }
          == .undefinedKey("", type: Flexible.self, suggestion: nil))
    }

    @Test("P42: a hook receives nil for a nil inside an optional")
    func wrappedNilForHook() throws {
      let object = Flexible()
      try object.setValue(Optional<Int>.none as Any, forKey: "colour")
      #expect(object.extras.isEmpty)
    }

    @Test("P42: without a hook an unknown key is an error, with the nearest key")
    func defaults() {
      let person = Person("Ann")
      for key in ["", "nmae", "@count", "self", "hash", "description", "Name", "name.", "\u{0}"] {
        let suggestion = ["nmae", "Name", "name."].contains(key) ? "name" : nil
        let expected = KeyValueCodingError.undefinedKey(
          key, type: Person.self, suggestion: suggestion)
        #expect(error { _ = try person.value(forKey: key) } == expected, "'\(key)'")
        #expect(error { try person.setValue(1, forKey: key) } == expected, "'\(key)'")
      }
    }

    @Test("P42: a subclass has its own hook if the root class declares it")
    func subclass() throws {
      #expect(try SavingsAccount().value(forKey: "rate") as? Int == 3)
      #expect(error { _ = try Account().value(forKey: "rate") } != nil)
    }

    @Test("P42: a class may store something else for nil")
    func nilHook() throws {
      let object = Flexible()
      try object.setValue(nil, forKey: "age")
      try object.setValue(nil, forKeyPath: "name")
      #expect(object.age == 0 && object.name == nil)
      #expect(
        error { try object.setValue(nil, forKey: "count") }
          == .nilForNonOptional(type: Flexible.self, key: "count", expected: Int.self))
      #expect(object.count == 5)
    }

    @Test("P42: the default of setNilValueForKey throws for every key")
    func nilDefault() {
      let person = Person("Ann")
      #expect(
        error { try person.setNilValueForKey("note") }
          == .nilForNonOptional(type: Person.self, key: "note", expected: String?.self))
      #expect(
        error { try person.setNilValueForKey("zzzzzz") }
          == .undefinedKey("zzzzzz", type: Person.self, suggestion: nil))
    }

    @Test("P42: hooks take part in all or nothing")
    func hooksInBulk() throws {
      let object = Flexible()
      try object.setValues(["age": nil, "colour": "blue", "name": "b"])
      #expect(object.age == 0 && object.extras["colour"] as? String == "blue")
      object.age = 5
      // The first keys have been set when the hook refuses nil for "count".
      #expect(error { try object.setValues(["age": nil, "colour": "x", "count": nil]) } != nil)
      #expect(error { try object.setValues(["age": nil, "name": "c", "zzz": 1]) } != nil)
      #expect(object.age == 5 && object.count == 5 && object.name == "b")
      #expect(object.extras["colour"] as? String == "blue")
    }

    @Test("P42: values that one hook has set under several keys are set back, the last first")
    func setBack() {
      let thermometer = Thermometer()
      #expect(
        error {
          try thermometer.setValues(["celsius": 10.0, "fahrenheit": 212.0, "kelvin": 0.0])
        } != nil)
      #expect(thermometer.celsius == 1)
    }

    // MARK: Validation

    @Test("P42: a validator passes on, corrects or rejects a value")
    func validate() throws {
      let object = Flexible()
      #expect(try object.validateValue(30, forKey: "age") as? Int == 30)
      #expect(try object.validateValue(200, forKey: "age") as? Int == 150)
      #expect(try object.validateValue("", forKey: "name") == nil)
      #expect(
        thrown(by: { try object.validateValue(-1, forKey: "age") }) == Flexible.TooYoung(age: -1))
      #expect(object.age == 5 && object.name == "a")
    }

    @Test("P42: without a validator every value is valid, for unknown keys as well")
    func noValidator() throws {
      let person = Person("Ann")
      #expect(try person.validateValue("x", forKey: "age") as? String == "x")
      #expect(try person.validateValue(1, forKey: "zzz") as? Int == 1)
      #expect(try person.validateValue(nil, forKey: "age") == nil)
    }

    @Test("P42: the last object of a path validates, and a nil link is an error")
    func validatePath() throws {
      let node = MacroNode()
      node.child = Flexible()
      #expect(try node.validateValue(200, forKeyPath: "child.age") as? Int == 150)
      #expect(try node.validateValue(200, forKeyPath: "child.zzz") as? Int == 200)
      #expect(try node.validateValue(200, forKeyPath: "self.count") as? Int == 200)
      #expect(
        error { _ = try node.validateValue(1, forKeyPath: "zzzzzz.age") }
          == .undefinedKey("zzzzzz", type: MacroNode.self, suggestion: nil))
      #expect(
        error { _ = try node.validateValue(1, forKeyPath: "name.age") }
          == .nilLink(keyPath: "name.age", key: "name"))
      node.child = ["age": -1]
      #expect(try node.validateValue(-2, forKeyPath: "child.age") as? Int == -2)
      node.child = [Flexible()]
      guard case .notObservable = error({ _ = try node.validateValue(1, forKeyPath: "child.age") })
      else {
        Issue.record("Several objects were asked for one value")
        return
      }
      for keyPath in ["", "self", "child.@count", "a..b"] {
        guard case .invalidKeyPath = error({ _ = try node.validateValue(1, forKeyPath: keyPath) })
        else {
          Issue.record("'\(keyPath)' was validated")
          continue
        }
      }
    }

    @Test("P42: setValue does not validate, setValidatedValue does")
    func set() throws {
      let object = Flexible()
      try object.setValue(-1, forKey: "age")
      #expect(object.age == -1)
      try object.setValidatedValue(200, forKey: "age")
      #expect(object.age == 150)
      #expect(
        thrown(by: { try object.setValidatedValue(-1, forKey: "age") })
          == Flexible.TooYoung(age: -1))
      #expect(object.age == 150)
      let node = MacroNode()
      node.child = object
      try node.setValidatedValue("", forKeyPath: "child.name")
      #expect(object.name == nil)
    }
  }
}
