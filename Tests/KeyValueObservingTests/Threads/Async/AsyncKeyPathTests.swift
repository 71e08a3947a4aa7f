import KeyValueObserving
import Testing

extension AllTests {
  @Suite("Async sequences of key paths that are strings", .timeLimit(.minutes(5)))
  struct AsyncKeyPathTests {
    @Test("P41: values begin with the present one, and nothing is lost before the first next()")
    func values() async throws {
      let person = Person("a", boss: Person("Top"))
      let names = try person.values(forKeyPath: "name")
      let bosses = try person.values(forKeyPath: "boss.name")
      person.name = "b"
      person.boss?.name = "Tip"
      person.boss = nil
      #expect(await names.first(2) as? [String] == ["a", "b"])
      #expect(await bosses.first(3) as? [String?] == ["Top", "Tip", nil])
    }

    @Test("P41: the keys of a dictionary can be iterated, missing ones too")
    func dictionary() async throws {
      let settings: KeyValueDictionary = ["volume": 1]
      let volumes = try settings.values(forKeyPath: "volume")
      let names = try settings.values(forKeyPath: "skin.name")
      settings["volume"] = 2
      settings["skin"] = ["name": "dark"]
      #expect(await volumes.first(2) as? [Int] == [1, 2])
      #expect(await names.first(2) as? [String?] == [nil, "dark"])
    }

    @Test("P35, P41: after an edit by proxy the value is the whole collection")
    func edits() async throws {
      let person = Person("a")
      let tags = try person.values(forKeyPath: "tags")
      person.mutableArrayValue(for: \.tags).append("x")
      person.mutableArrayValue(for: \.tags).append("y")
      #expect(await tags.first(3) as? [[String]] == [[], ["x"], ["x", "y"]])
    }

    @Test("P2, P41: changes hold what the options request, as those of a typed key path do")
    func changes() async throws {
      for bits in UInt(0)..<16 {
        let options = KeyValueObservation.Options(rawValue: bits)
        let person = Person("a", boss: Person("Top"))
        let recorder = Recorder()
        let count = (options.contains(.initial) ? 1 : 0) + (options.contains(.prior) ? 4 : 2)
        let typed = person.changes(of: \.boss?.name, options: options)
        let string = try person.changes(forKeyPath: "boss.name", options: options)
        person.boss?.name = "Tip"
        person.boss = nil
        for change in await typed.first(count) { recorder.write("·", change) }
        let expected = recorder.take()
        for change in await string.first(count) { recorder.write("·", change) }
        #expect(recorder.take() == expected && expected.count == count)
      }
    }

    @Test("P33, P41: sequences end when the object is deallocated")
    func ending() async throws {
      var person: Person? = Person("a")
      var names = try person!.values(forKeyPath: "name").makeAsyncIterator()
      var changes = try person!.changes(forKeyPath: "name").makeAsyncIterator()
      person?.name = "b"
      person = nil
      #expect(await names.takeAll() as? [String] == ["a", "b"])
      #expect(await changes.takeAll().map { $0.newValueOrNil as? String } == ["b"])
    }

    @Test("P6: a key path that cannot work is refused, and registers nothing")
    func refused() {
      let person = Person("a")
      let error = KeyValueCodingError.undefinedKey("nmae", type: Person.self, suggestion: "name")
      #expect(throws: error) { try person.values(forKeyPath: "nmae") }
      #expect(throws: error) { try person.changes(forKeyPath: "nmae") }
    }
  }
}
