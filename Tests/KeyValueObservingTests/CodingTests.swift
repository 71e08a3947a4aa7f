import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Key-value coding, key by key")
  struct CodingTests {
    private let recorder = Recorder()

    private func error(_ body: () throws -> Void) -> KeyValueCodingError? {
      #expect(throws: KeyValueCodingError.self) { try body() }
    }

    @Test("P42: values are read and written by key and by key path")
    func readAndWrite() throws {
      let person = Person("Ann", boss: Person("Bea"))
      try person.setValue("Cid", forKey: "name")
      try person.setValue(4, forKeyPath: "boss.age")
      try person.setValue(nil, forKey: "note")
      #expect(try person.value(forKey: "name") as? String == "Cid")
      #expect(try person.value(forKeyPath: "boss.age") as? Int == 4)
      #expect(try person.value(forKeyPath: "boss.title") as? String == "Bea (4)")
      #expect(try person.value(forKey: "note") == nil)
      #expect(try person.value(forKeyPath: "boss.boss.name") == nil)
    }

    @Test("P42: what cannot be held throws, says why, and changes nothing")
    func refusals() throws {
      let person = Person("Ann")
      #expect(
        error { try person.setValue(nil, forKey: "age") }
          == .nilForNonOptional(type: Person.self, key: "age", expected: Int.self))
      #expect(
        error { try person.setValue("3", forKey: "age") }
          == .typeMismatch(
            type: Person.self, key: "age", expected: Int.self, actual: String.self, value: "3"))
      #expect(
        error { try person.setValue(2.5, forKey: "age") }
          == .typeMismatch(
            type: Person.self, key: "age", expected: Int.self, actual: Double.self, value: "2.5"))
      #expect(
        error { try person.setValue(1, forKey: "sealed") }
          == .readOnly(type: Person.self, key: "sealed"))
      #expect(
        error { try person.setValue("x", forKey: "title") }
          == .readOnly(type: Person.self, key: "title"))
      #expect(
        error { try person.setValue(1, forKeyPath: "boss.age") }
          == .nilLink(keyPath: "boss.age", key: "boss"))
      #expect(
        error { try person.setValue(1, forKey: "aeg") }
          == .undefinedKey("aeg", type: Person.self, suggestion: "age"))
      #expect(person.age == 0 && person.sealed == 1)
    }

    @Test("P42: numbers are converted where nothing is lost")
    func conversion() throws {
      let person = Person("Ann")
      try person.setValue(UInt8(7), forKey: "age")
      #expect(person.age == 7)
      try person.setValue(8.0, forKey: "age")
      #expect(person.age == 8)
    }

    @Test("P43: a write by key notifies once, like the setter")
    func notifiesOnce() throws {
      let person = Person("Ann")
      let token = person.observe(
        \.age, options: [.new, .old], changeHandler: recorder.receives("·"))
      try person.setValue(1, forKey: "age")
      person.age = 2
      #expect(recorder.take() == ["· 0→1", "· 1→2"])
      withExtendedLifetime(token) {}
    }

    @Test("P42: a property whose setter is private can be observed and not written")
    func privateSetter() {
      let person = Person("Ann")
      let token = person.observe(\.sealed, options: .new, changeHandler: recorder.receives("·"))
      person.setSealed(2)
      #expect(recorder.take() == ["· →2"])
      withExtendedLifetime(token) {}
    }
  }
}
