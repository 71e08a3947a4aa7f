import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  /// The elements of async sequences, and their order.
  @Suite("Async sequences", .timeLimit(.minutes(5)))
  struct AsyncSequenceTests {
    private let recorder = Recorder()

    private func write<Value>(_ changes: [KeyValueChange<Value>]) -> [String] {
      for change in changes { recorder.write("·", change) }
      return recorder.take()
    }

    @Test("P41: values begin with the current one, and nothing is lost before the first next()")
    func values() async {
      let person = Person("a")
      let names = person.values(of: \.name)
      person.name = "b"
      person.name = "b"
      person.name = "c"
      var iterator = names.makeAsyncIterator()
      #expect(await iterator.take(4) == ["a", "b", "b", "c"])
      person.name = "d"
      #expect(await iterator.next() == "d")
    }

    @Test("P13, P41: values that begin in a prior notification do not have the change of that")
    func beginInPrior() async {
      let person = Person("a")
      var names: KeyValueAsyncSequence<String>?
      var ages: KeyValueAsyncSequence<Int>?
      let token = person.observe(\.name, options: .prior) { person, change in
        if names == nil { (names, ages) = (person.values(of: \.name), person.values(of: \.age)) }
      }
      person.name = "b"
      person.name = "c"
      person.age = 1
      #expect(await names?.first(2) == ["a", "c"])
      #expect(await ages?.first(2) == [0, 1])
      token.invalidate()
    }

    @Test("P41: changes are those that observe delivers, and begin with the next")
    func changes() async {
      let person = Person("a")
      let changes = person.changes(of: \.name)
      let full = person.changes(of: \.name, options: [.old, .new, .initial, .prior])
      let distinct = person.changes(of: \.name, options: [.new, .distinct])
      person.name = "b"
      person.name = "b"
      person.name = "c"
      #expect(write(await changes.first(3)) == ["· →b", "· →b", "· →c"])
      #expect(
        write(await full.first(7)) == [
          "· →a", "· a→ prior", "· a→b", "· b→ prior", "· b→b", "· b→ prior", "· b→c",
        ])
      #expect(write(await distinct.first(2)) == ["· →b", "· →c"])
    }

    @Test("P2, P41: a change holds exactly what the options ask for")
    func options() async {
      for bits in UInt(0)..<16 {
        let options = KeyValueObservation.Options(rawValue: bits)
        let person = Person("a")
        let token = person.observe(\.name, options: options, changeHandler: recorder.receives("·"))
        let changes = person.changes(of: \.name, options: options)
        person.name = "b"
        let received = recorder.take()
        token.invalidate()
        #expect(write(await changes.first(received.count)) == received)
      }
    }

    @Test("P26, P27, P41: paths, computed keys and weak links")
    func paths() async {
      var boss: Person? = Person("boss")
      let person = Person("a")
      let names = person.values(of: \.friend?.name)
      let changes = person.changes(of: \.friend?.name, options: [.old, .new])
      let titles = person.values(of: \.title)
      let friends = person.values(of: \.friend)
      person.friend = boss
      boss!.name = "chief"
      person.age = 7
      var friendIterator = friends.makeAsyncIterator()
      // Waiting elements are retained, taken ones are not.
      #expect(await friendIterator.take(2).map { $0?.name } == [nil, "chief"])
      boss = nil
      #expect(person.friend == nil)
      #expect(await friendIterator.take(1).map { $0 == nil } == [true])
      #expect(await names.first(4) == [nil, "boss", "chief", nil])
      #expect(
        write(await changes.first(3)) == ["· nil→boss path", "· boss→chief", "· chief→nil path"])
      #expect(await titles.first(2) == ["a (0)", "a (7)"])
    }

    @Test("P35, P41: an edit of a proxy is a change with indexes, and a whole value")
    func collections() async {
      let person = Person("a")
      let tags = person.values(of: \.tags)
      let changes = person.changes(of: \.tags)
      let proxy = person.mutableArrayValue(for: \.tags)
      proxy.append("x")
      proxy.insert("y", at: 0)
      proxy.remove(at: 1)
      person.tags.append("z")
      #expect(await tags.first(5) == [[], ["x"], ["y", "x"], ["y"], ["y", "z"]])
      #expect(
        write(await changes.first(4)) == [
          #"· →["x"] insertion [0]"#, #"· →["y"] insertion [0]"#, "· → removal [1]",
          #"· →["y", "z"]"#,
        ])
    }

    @Test("P11, P41: the order is that of observers, also if a callback sets the property")
    func nestedSets() async {
      let person = Person("a")
      let token = person.observe(\.age, options: .new) { person, change in
        if change.newValue == 1 { person.age = 2 }
      }
      let ages = person.values(of: \.age)
      person.age = 1
      #expect(await ages.first(3) == [0, 1, 2])
      token.invalidate()
    }

    @Test("P41: next() and next(isolation:) take from the same buffer")
    func isolatedNext() async {
      let person = Person("a")
      var iterator = person.values(of: \.name).makeAsyncIterator()
      person.name = "b"
      person.name = "c"
      #expect(await iterator.next(isolation: nil) == "a")
      #expect(await iterator.next(isolation: #isolation) == "b")
      #expect(await iterator.next() == "c")
    }

    @Test("P41: the failure is Never, so a loop needs no try, also behind `some`")
    func typedFailure() async {
      let person = Person("a")
      let names: some AsyncSequence<String, Never> = person.values(of: \.name)
      let lengths = names.map(\.count)
      for await length in lengths {
        #expect(length == 1)
        break
      }
    }

    @Test("P41: a consumer that waits is resumed by the change")
    @MainActor
    func waiting() async {
      let person = Person("a")
      let consumer = Consumer(of: person.values(of: \.name))
      await consumer.waits(after: 1)
      person.name = "b"
      person.name = "c"
      await consumer.waits(after: 3)
      #expect(consumer.received == ["a", "b", "c"])
      // Nothing but a change has resumed it.
      #expect(consumer.requests == 4)
      consumer.cancel()
      await consumer.finished()
    }
  }
}
