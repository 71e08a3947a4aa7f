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
      let token = person.observe(\.name, options: .new, changeHandler: recorder.hears("·"))
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

    @Test("P9: distinct compares with what was last heard or registered with")
    func distinct() {
      let person = Person("Ann", boss: Person("x"))
      let token = person.observe(
        \.boss?.name, options: [.distinct, .new, .old, .initial],
        changeHandler: recorder.hears("·"))
      person.boss = Person("x")
      person.boss?.name = "x"
      person.boss?.name = "y"
      person.boss = Person("y")
      person.boss = nil
      person.boss = nil
      #expect(recorder.take() == ["· →x", "· x→y", "· y→nil path"])
      withExtendedLifetime(token) {}
    }

    @Test("P10: a path takes its place where it last reached the object")
    func pathOrder() {
      let boss = Person("Bea")
      let person = Person("Ann", boss: boss)
      let path = person.observe(\.boss?.name, changeHandler: recorder.hears("path"))
      let direct = boss.observe(\.name, changeHandler: recorder.hears("direct"))
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
        person.observe(\.title, options: .prior, changeHandler: recorder.hears("title")),
        person.observe(\.name, options: .prior, changeHandler: recorder.hears("name")),
      ]
      person.name = "Bob"
      #expect(recorder.take() == ["name → prior", "title → prior", "name →", "title →"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11: the last change that every observer hears is the value of the property")
    func lastHeardIsCurrent() {
      let person = Person("Ann")
      var last = [0, 0, 0]
      let tokens = (0..<3).map { observer in
        person.observe(\.age, options: .new) { person, change in
          last[observer] = change.newValue!
          if observer == 1, person.age < 10 { person.age += 1 }
        }
      }
      person.age = 1
      #expect(person.age == 10 && last == [10, 10, 10])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11: a dependent whose inputs are set during its delivery tells one story")
    func dependentStory() {
      let person = Person("a")
      let first = person.observe(\.title, options: [.new, .old]) { person, change in
        self.recorder.write("1", change)
        if person.age == 1 { person.age = 2 }
      }
      let second = person.observe(
        \.title, options: [.new, .old], changeHandler: recorder.hears("2"))
      person.age = 1
      #expect(
        recorder.take() == [
          "1 a (0)→a (1)", "2 a (0)→a (1)", "1 a (1)→a (2)", "2 a (1)→a (2)",
        ])
      person.name = "b"
      #expect(recorder.take() == ["1 a (2)→b (2)", "2 a (2)→b (2)"])
      withExtendedLifetime((first, second)) {}
    }

    @Test("P11: an input set before a dependent was told is told after it")
    func dependentInOrder() {
      let person = Person("a")
      let direct = person.observe(\.name) { person, _ in
        if person.age == 0 { person.age = 1 }
      }
      let title = person.observe(
        \.title, options: [.new, .old], changeHandler: recorder.hears("·"))
      person.name = "b"
      #expect(recorder.take() == ["· a (0)→b (0)", "· b (0)→b (1)"])
      withExtendedLifetime((direct, title)) {}
    }

    @Test("P11: observers of a path hear one story when a callback sets a link or the last key")
    func pathStory() {
      let boss = Person("B")
      let person = Person("A", boss: boss)
      let first = person.observe(\.boss?.name, options: [.new, .old]) { person, change in
        self.recorder.write("1", change)
        if person.boss === boss { person.boss = Person("C") }
      }
      let second = person.observe(
        \.boss?.name, options: [.new, .old], changeHandler: recorder.hears("2"))
      boss.name = "b"
      #expect(recorder.take() == ["1 B→b", "1 b→C path", "2 B→b", "2 b→C path"])
      person.boss?.name = "D"
      #expect(recorder.take() == ["1 C→D", "2 C→D"])
      withExtendedLifetime((first, second)) {}
    }

    @Test("P11: a last key set while a new link is being told is told after it")
    func leafAfterLink() {
      let person = Person("A")
      let first = person.observe(\.boss?.name, options: [.new, .old]) { person, change in
        self.recorder.write("1", change)
        if person.boss?.name == "B" { person.boss?.name = "b" }
      }
      let second = person.observe(
        \.boss?.name, options: [.new, .old], changeHandler: recorder.hears("2"))
      person.boss = Person("B")
      #expect(
        recorder.take() == ["1 nil→B path", "1 B→b", "2 nil→B path", "2 B→b"])
      withExtendedLifetime((first, second)) {}
    }

    @Test(
      "P11: a tail that was left and reached again during its delivery is heard once for each set")
    func leftAndReached() {
      let first = Person("x")
      let person = Person("A", boss: first)
      let other = Person("y")
      let token = person.observe(\.boss?.name, options: [.new, .old]) { person, change in
        self.recorder.write("·", change)
        guard first.name == "1" else { return }
        person.boss = other
        person.boss = first
        first.name = "2"
      }
      first.name = "1"
      #expect(
        recorder.take() == ["· x→1", "· 1→y path", "· y→1 path", "· 1→2"])
      first.name = "3"
      #expect(recorder.take() == ["· 2→3"])
      withExtendedLifetime(token) {}
    }

    @Test("P11: a change that waits is not overtaken by a later one of another input")
    func notOvertaken() {
      let person = Person("a", boss: Person("x"))
      let former = person.boss!
      let tokens = [
        person.observe(\.boss?.name, options: [.new, .old], changeHandler: recorder.hears("path")),
        former.observe(\.name) { former, _ in
          guard former.name == "1" else { return }
          former.name = "2"
          person.boss = Person("Y")
        },
        person.observe(\.title, options: [.new, .old], changeHandler: recorder.hears("title")),
        person.observe(\.age) { person, _ in
          guard person.age == 1 else { return }
          person.age = 2
          person.name = "b"
        },
      ]
      former.name = "1"
      #expect(recorder.take() == ["path x→1", "path 1→2", "path 2→Y path"])
      person.age = 1
      #expect(recorder.take() == ["title a (0)→a (1)", "title a (1)→a (2)", "title a (2)→b (2)"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11: a dependent's prior has the value that a prior callback before it has made")
    func freshPrior() {
      let person = Person("a")
      let tokens = [
        person.observe(\.age, options: .prior) { person, change in
          if change.isPrior, person.age == 0 { person.name = "b" }
        },
        person.observe(
          \.title, options: [.prior, .old, .new], changeHandler: recorder.hears("·")),
      ]
      person.age = 1
      #expect(
        recorder.take() == [
          "· a (0)→ prior", "· a (0)→b (0)", "· b (0)→ prior", "· b (0)→b (1)",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P13: an observer that is registered inside a prior follows the new link at once")
    func registeredInPrior() {
      let person = Person("a", boss: Person("old"))
      let former = person.boss!
      var late: [KeyValueObservation] = []
      let token = person.observe(\.boss, options: .prior) { person, change in
        guard change.isPrior else { return }
        late = [
          person.observe(\.boss?.name, options: .new, changeHandler: self.recorder.hears("path")),
          person.observe(\.bossName, options: .new, changeHandler: self.recorder.hears("computed")),
        ]
      }
      person.boss = Person("new")
      #expect(recorder.take() == [])
      former.name = "silent"
      person.boss?.name = "heard"
      #expect(recorder.take() == ["path →heard", "computed →heard"])
      withExtendedLifetime((token, late)) {}
    }

    @Test("P11: a set inside a prior callback is delivered in full, and its value is the old one")
    func setInsidePrior() {
      let person = Person("a")
      var isFirst = true
      let token = person.observe(\.age, options: [.prior, .old, .new]) { person, change in
        self.recorder.write("·", change)
        if isFirst {
          isFirst = false
          person.age = 5
        }
      }
      person.age = 1
      #expect(recorder.take() == ["· 0→ prior", "· 0→ prior", "· 0→5", "· 5→1"])
      #expect(person.age == 1)
      withExtendedLifetime(token) {}
    }

    @Test("P11: a nested set's prior comes at once, before its value changes")
    func nestedPrior() {
      let person = Person("a")
      let first = person.observe(\.age, options: [.prior, .old, .new]) { person, change in
        self.recorder.write("1 at \(person.age)", change)
        if !change.isPrior, person.age == 1 { person.age = 2 }
      }
      let second = person.observe(\.age, options: .new, changeHandler: recorder.hears("2"))
      person.age = 1
      #expect(
        recorder.take() == [
          "1 at 0 0→ prior", "1 at 1 0→1", "1 at 1 1→ prior", "2 →1", "1 at 2 1→2", "2 →2",
        ])
      withExtendedLifetime((first, second)) {}
    }

    @Test("P13: an observer added during a delivery does not hear a change made before it came")
    func addedDuringDelivery() {
      let person = Person("a")
      var added: KeyValueObservation?
      let token = person.observe(\.age) { person, _ in
        guard person.age == 1 else { return }
        person.age = 2
        added = person.observe(\.age, options: .new, changeHandler: self.recorder.hears("added"))
      }
      person.age = 1
      #expect(recorder.take() == [])
      person.age = 3
      #expect(recorder.take() == ["added →3"])
      withExtendedLifetime((token, added)) {}
    }

    @Test("P14: the subject lives until everyone whose turn was to come is told")
    func subjectLives() {
      final class Holder { var person: Person? = Person("a", boss: Person("b")) }
      let holder = Holder()
      let tokens = [
        holder.person!.observe(\.name) { _, _ in
          holder.person = nil
          self.recorder.write("dropped")
        },
        holder.person!.observe(\.name, options: .new, changeHandler: recorder.hears("2")),
      ]
      holder.person!.name = "c"
      #expect(recorder.take() == ["dropped", "2 →c"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P14: an observer with reasons hears of the death after the change that caused it")
    func deathAfterChange() {
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

    @Test("P15: values are read once for all observers, and not at all when nobody asks")
    func readOnce() {
      let person = Person("a")
      let silent = person.observe(\.title) { _, _ in }
      person.evaluations = 0
      person.name = "b"
      // Evaluated once to find its inputs anew, by nobody for its value.
      #expect(person.evaluations == 1)
      let tokens = (0..<5).map { _ in
        person.observe(\.title, options: [.new, .old]) { _, _ in }
      }
      person.evaluations = 0
      person.name = "c"
      #expect(person.evaluations == 2)
      withExtendedLifetime((silent, tokens)) {}
    }

    @Test("P15: an in-place mutation stays in place while nobody asks for old")
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

    @Test("P16: a property that nobody observes is as it was, observed object or not")
    func unobserved() {
      let person = Person("a")
      let token = person.observe(\.name, changeHandler: recorder.hears("·"))
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
        \.double, options: [.new, .old], changeHandler: recorder.hears("·"))
      memo.base = 4
      #expect(recorder.take() == ["· 2→2"])
      memo.kept = nil
      #expect(recorder.take() == ["· 2→8"])
      withExtendedLifetime(token) {}
    }

    @Test("P17: a mutation that throws half-way is told, and leaves nothing behind")
    func throwingMutation() {
      struct Failure: Error {}
      func spoil(_ tags: inout [String]) throws {
        tags.append("half")
        throw Failure()
      }
      let person = Person("a")
      let token = person.observe(\.tags, options: [.new, .old], changeHandler: recorder.hears("·"))
      #expect(throws: Failure.self) { try spoil(&person.tags) }
      person.tags = []
      #expect(recorder.take() == [#"· []→["half"]"#, #"· ["half"]→[]"#])
      person.observationContext.checkInvariants()
      withExtendedLifetime(token) {}
    }

    @Test("P18: a prior callback that sets its own property is stopped as well")
    func priorLoop() {
      let reports = Diagnostics()
      let person = Person("a")
      let token = person.observe(\.age, options: .prior) { person, change in
        if change.isPrior { person.age += 1 }
      }
      person.age = 1000
      #expect(person.age == 1000)
      #expect(reports.take().count == 1)
      withExtendedLifetime(token) {}
    }

    @Test("P18: two observers that undo each other are both stopped, the third hears the end")
    func pingPong() {
      let reports = Diagnostics()
      let person = Person("a")
      var last = 0
      let tokens = [
        person.observe(\.age) { person, _ in if person.age != 1 { person.age = 1 } },
        person.observe(\.age) { person, _ in if person.age != 2 { person.age = 2 } },
        person.observe(\.age, options: .new) { last = $1.newValue! },
      ]
      person.age = 3
      #expect(last == person.age)
      #expect(reports.take().count == 1)
      withExtendedLifetime(tokens) {}
    }

    @Test("P18: a computed key that one of its observers never lets settle reaches the others")
    func loopThroughDependent() {
      let reports = Diagnostics()
      let person = Person("a")
      var last = ""
      let tokens = [
        // Each callback sets the input that did not change.
        person.observe(\.title) { person, _ in person.name += "x" },
        person.observe(\.title, options: .new) { last = $1.newValue! },
      ]
      person.age = 1
      #expect(person.name.count > 90 && last == person.title)
      #expect(reports.take().count == 1)
      person.age = 2
      #expect(last == person.title)
      person.observationContext.checkInvariants()
      withExtendedLifetime(tokens) {}
    }

    @Test("P18: a loop over two properties, a computed key or a path ends as well")
    func loopsAround() {
      let reports = Diagnostics()
      let person = Person("a", boss: Person("b"))
      var last = ""
      let tokens = [
        person.observe(\.title) { person, _ in person.age += 1 },
        person.observe(\.title, options: .new) { last = $1.newValue! },
        person.observe(\.boss?.name) { person, _ in person.boss?.name += "x" },
      ]
      person.age = 1
      #expect(last == person.title)
      person.boss?.name = ""
      person.boss = Person("c")
      #expect(person.boss!.name.count > 90)
      #expect(!reports.take().isEmpty)
      withExtendedLifetime(tokens) {}
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
