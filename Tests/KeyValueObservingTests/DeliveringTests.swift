import KeyValueObserving
import Testing

@testable import KeyValueObservingCore
extension AllTests {
  @Suite("Delivering")
  struct DeliveringTests {
    private let recorder = Recorder()

    @Test("P8: the observer is called on the thread of the change, before the setter returns")
    func synchronous() async {
      let person = Person("Ann")
      let token = person.observe(\.name, options: .new, changeHandler: recorder.receives("·"))
      person.name = "Bob"
      recorder.write("returned")
      #expect(recorder.take() == ["· →Bob", "returned"])
      withExtendedLifetime(token) {}
    }

    @Test("P8: no lock of ours is held: a callback may use every function of the library")
    func noLockHeld() {
      let person = Person("Ann", boss: Person("Bea"))
      var inner: KeyValueObservation?
      let token = person.observe(\.name) { person, _ in
        inner = person.observe(\.name) { _, _ in }
        inner?.invalidate()
        person.age += 1
        person.boss = nil
        _ = person.title
      }
      let path = person.observe(\.boss?.name) { person, _ in
        inner = person.observe(\.boss?.name) { _, _ in }
      }
      person.name = "Bob"
      #expect(person.age == 1)
      withExtendedLifetime((token, path)) {}
    }

    @Test("P9: distinct compares with the last received value or that of registration")
    func distinct() {
      let person = Person("Ann", boss: Person("x"))
      let token = person.observe(
        \.boss?.name, options: [.distinct, .new, .old, .initial],
        changeHandler: recorder.receives("·"))
      person.boss = Person("x")
      person.boss?.name = "x"
      person.boss?.name = "y"
      person.boss = Person("y")
      person.boss = nil
      person.boss = nil
      #expect(recorder.take() == ["· →x", "· x→y", "· y→nil path"])
      withExtendedLifetime(token) {}
    }

    @Test("P9: distinct filters no objects that are not equatable, with either API")
    func distinctObjects() throws {
      let boss = Person("Bea")
      let person = Person("Ann", boss: boss)
      let tokens = [
        person.observe(\.boss, options: .distinct, changeHandler: recorder.receives("typed")),
        try person.observe("boss", options: .distinct, changeHandler: recorder.receives("string")),
      ]
      person.boss = boss
      #expect(recorder.take() == ["typed →", "string →"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P10: a path takes its place where it last reached the object")
    func pathOrder() {
      let boss = Person("Bea")
      let person = Person("Ann", boss: boss)
      let path = person.observe(\.boss?.name, changeHandler: recorder.receives("path"))
      let direct = boss.observe(\.name, changeHandler: recorder.receives("direct"))
      boss.name = "1"
      #expect(recorder.take() == ["path →", "direct →"])
      person.boss = nil
      person.boss = boss
      _ = recorder.take()
      boss.name = "2"
      #expect(recorder.take() == ["direct →", "path →"])
      withExtendedLifetime((path, direct)) {}
    }

    @Test("P10: observers of a key come before observers of what depends on it")
    func dependentsLast() {
      let person = Person("Ann")
      let tokens = [
        person.observe(\.title, options: .prior, changeHandler: recorder.receives("title")),
        person.observe(\.name, options: .prior, changeHandler: recorder.receives("name")),
      ]
      person.name = "Bob"
      #expect(recorder.take() == ["name → prior", "title → prior", "name →", "title →"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P13: an observer added during a delivery does not receive a change made before")
    func addedDuringDelivery() {
      let person = Person("a")
      var added: KeyValueObservation?
      let token = person.observe(\.age) { person, _ in
        guard person.age == 1 else { return }
        person.age = 2
        added = person.observe(\.age, options: .new, changeHandler: self.recorder.receives("added"))
      }
      person.age = 1
      #expect(recorder.take() == [])
      person.age = 3
      #expect(recorder.take() == ["added →3"])
      withExtendedLifetime((token, added)) {}
    }

    @Test("P14: the observed object is retained until every remaining observer is notified")
    func subjectLives() {
      final class Holder { var person: Person? = Person("a", boss: Person("b")) }
      let holder = Holder()
      let tokens = [
        holder.person!.observe(\.name) { _, _ in
          holder.person = nil
          self.recorder.write("dropped")
        },
        holder.person!.observe(\.name, options: .new, changeHandler: recorder.receives("2")),
      ]
      holder.person!.name = "c"
      #expect(recorder.take() == ["dropped", "2 →c"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P14: the start of a path is retained until waiting changes are delivered", arguments: [1, 2])
    func rootLives(untilCall last: Int) {
      let boss = Person("boss")
      let first = Person("1", boss: boss)
      var second: Person? = Person("2", boss: boss)
      var calls = 0
      let tokens = [
        first.observe(\.boss?.age) { _, _ in
          calls += 1
          if calls == 1 { boss.age = 2 }
          if calls == last { second = nil }
        },
        second!.observe(\.boss?.age, options: .new, changeHandler: recorder.receives("2")),
      ]
      boss.age = 1
      #expect(recorder.take() == ["2 →1", "2 →2"])
      #expect(second == nil)
      withExtendedLifetime(tokens) {}
    }

    @Test("P14: an observer with reasons receives the deallocation after the change that caused it")
    func deallocationAfterChange() {
      final class Holder { var person: Person? = Person("a", boss: Person("b")) }
      let holder = Holder()
      let boss = holder.person!.boss!
      let first = KeyValueObserver(
        source: holder.person!, keyPath: \.boss?.name, options: .new
      ) { change, _ in
        self.recorder.write("1", change)
        holder.person = nil
      }
      let second = KeyValueObserver(
        source: holder.person!, keyPath: \.boss?.name, options: .new,
        callback: recorder.callback("2"))
      boss.name = "c"
      #expect(recorder.take() == ["1 →c", "2 →c", "1 → gone", "2 → gone"])
      withExtendedLifetime((first, second)) {}
    }

    @Test("P15: values are read once for all observers, and not at all if none requests them")
    func readOnce() {
      let person = Person("a")
      let silent = person.observe(\.title) { _, _ in }
      person.evaluations = 0
      person.name = "b"
      // Evaluated once to find its inputs again, without a request for its value.
      #expect(person.evaluations == 1)
      let tokens = (0..<5).map { _ in
        person.observe(\.title, options: [.new, .old]) { _, _ in }
      }
      person.evaluations = 0
      person.name = "c"
      #expect(person.evaluations == 2)
      withExtendedLifetime((silent, tokens)) {}
    }

    @Test("P15: an in-place mutation stays in place if no observer requests old")
    func inPlace() {
      let person = Person("a")
      person.tags = ["0"]
      person.tags.reserveCapacity(100)
      func address() -> UnsafeRawPointer? {
        person.tags.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
      }
      let before = address()
      let token = person.observe(\.tags, options: .new) { _, change in
        self.recorder.write("\(change.newValue!.count)")
      }
      for count in 1..<50 { person.tags.append("\(count)") }
      #expect(address() == before)
      #expect(recorder.take().last == "50")
      withExtendedLifetime(token) {}
    }

    @Test("P15: values are snapshots")
    func snapshots() {
      let person = Person("a")
      var changes: [KeyValueChange<[String]>] = []
      let token = person.observe(\.tags, options: [.new, .old]) { changes.append($1) }
      person.tags.append("x")
      person.tags.append("y")
      #expect(changes.map(\.oldValue) == [[], ["x"]])
      #expect(changes.map(\.newValue) == [["x"], ["x", "y"]])
      withExtendedLifetime(token) {}
    }

    @Test("P16: an unobserved property is unchanged, whether the object is observed or not")
    func unobserved() {
      let person = Person("a")
      let token = person.observe(\.name, changeHandler: recorder.receives("·"))
      person.age = 3
      person.tags.append("x")
      person.note = "n"
      #expect(person.age == 3 && person.tags == ["x"] && person.note == "n")
      #expect(person.noteSets == 1)
      #expect(recorder.take() == [])
      withExtendedLifetime(token) {}
    }

    @Test("P15: a getter that keeps its value in an observed property makes one change")
    func memoizingGetter() {
      let memo = Memo()
      let token = memo.observe(
        \.double, options: [.new, .old], changeHandler: recorder.receives("·"))
      memo.base = 4
      #expect(recorder.take() == ["· 2→2"])
      memo.kept = nil
      #expect(recorder.take() == ["· 2→8"])
      withExtendedLifetime(token) {}
    }

    @Test("P17: a mutation that throws half-way is delivered, and leaves nothing behind")
    func throwingMutation() {
      struct Failure: Error {}
      func spoil(_ tags: inout [String]) throws {
        tags.append("half")
        throw Failure()
      }
      let person = Person("a")
      let token = person.observe(
        \.tags, options: [.new, .old], changeHandler: recorder.receives("·"))
      #expect(throws: Failure.self) { try spoil(&person.tags) }
      person.tags = []
      #expect(recorder.take() == [#"· []→["half"]"#, #"· ["half"]→[]"#])
      person.observationContext.checkInvariants()
      withExtendedLifetime(token) {}
    }
  }
}

@KeyValueObservable
final class Memo {
  var base = 1
  var kept: Int?
  var double: Int {
    if let kept { return kept }
    kept = base * 2
    return kept!
  }
}
