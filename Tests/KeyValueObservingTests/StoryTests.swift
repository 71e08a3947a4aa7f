import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  @Suite("One story")
  struct StoryTests {
    private let recorder = Recorder()

    @Test("P11: the last change that every observer receives is the value of the property")
    func lastReceivedIsCurrent() {
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

    @Test(
      "P11: a set that the end of the former value makes",
      arguments: [[], .old, .new, [.old, .new]] as [KeyValueObservation.Options])
    func setByFormerValue(options: KeyValueObservation.Options) {
      let room = Room()
      let next = Canary {}
      var received: [Canary?] = []
      room.guest = Canary { [unowned room] in room.guest = next }
      let token = room.observe(\.guest, options: options) { room, change in
        received.append(change.newValue ?? room.guest)
      }
      room.guest = nil
      #expect(room.guest === next)
      #expect(received.count == 2 && received.last! === next)
      withExtendedLifetime(token) {}
    }

    @Test("P11: observers receive the value that a didSet stores")
    func valueOfDidSet() {
      let room = Room()
      let token = room.observe(
        \.floor, options: [.old, .new], changeHandler: recorder.receives("·"))
      room.floor = 12
      room.floor = 13
      #expect(room.floor == 9)
      #expect(recorder.take() == ["· 0→9", "· 9→9"])
      withExtendedLifetime(token) {}
    }

    @Test("P11: a dependent whose inputs are set during its delivery is ordered consistently")
    func dependentStory() {
      let person = Person("a")
      let first = person.observe(\.title, options: [.new, .old]) { person, change in
        self.recorder.write("1", change)
        if person.age == 1 { person.age = 2 }
      }
      let second = person.observe(
        \.title, options: [.new, .old], changeHandler: recorder.receives("2"))
      person.age = 1
      #expect(
        recorder.take() == [
          "1 a (0)→a (1)", "2 a (0)→a (1)", "1 a (1)→a (2)", "2 a (1)→a (2)",
        ])
      person.name = "b"
      #expect(recorder.take() == ["1 a (2)→b (2)", "2 a (2)→b (2)"])
      withExtendedLifetime((first, second)) {}
    }

    @Test("P11: an input set before a dependent was notified is delivered after it")
    func dependentInOrder() {
      let person = Person("a")
      let direct = person.observe(\.name) { person, _ in
        if person.age == 0 { person.age = 1 }
      }
      let title = person.observe(
        \.title, options: [.new, .old], changeHandler: recorder.receives("·"))
      person.name = "b"
      #expect(recorder.take() == ["· a (0)→b (0)", "· b (0)→b (1)"])
      withExtendedLifetime((direct, title)) {}
    }

    @Test("P11: changes of a path are ordered consistently when a callback sets one of its keys")
    func pathStory() {
      let boss = Person("B")
      let person = Person("A", boss: boss)
      let first = person.observe(\.boss?.name, options: [.new, .old]) { person, change in
        self.recorder.write("1", change)
        if person.boss === boss { person.boss = Person("C") }
      }
      let second = person.observe(
        \.boss?.name, options: [.new, .old], changeHandler: recorder.receives("2"))
      boss.name = "b"
      #expect(recorder.take() == ["1 B→b", "1 b→C path", "2 B→b", "2 b→C path"])
      person.boss?.name = "D"
      #expect(recorder.take() == ["1 C→D", "2 C→D"])
      withExtendedLifetime((first, second)) {}
    }

    @Test("P11: a last key set while a new intermediate object is being delivered comes after it")
    func leafAfterLink() {
      let person = Person("A")
      let first = person.observe(\.boss?.name, options: [.new, .old]) { person, change in
        self.recorder.write("1", change)
        if person.boss?.name == "B" { person.boss?.name = "b" }
      }
      let second = person.observe(
        \.boss?.name, options: [.new, .old], changeHandler: recorder.receives("2"))
      person.boss = Person("B")
      #expect(
        recorder.take() == ["1 nil→B path", "1 B→b", "2 nil→B path", "2 B→b"])
      withExtendedLifetime((first, second)) {}
    }

    @Test(
      "P11: a final component left and reached again during its delivery receives each set once")
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
        person.observe(
          \.boss?.name, options: [.new, .old], changeHandler: recorder.receives("path")),
        former.observe(\.name) { former, _ in
          guard former.name == "1" else { return }
          former.name = "2"
          person.boss = Person("Y")
        },
        person.observe(\.title, options: [.new, .old], changeHandler: recorder.receives("title")),
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
          \.title, options: [.prior, .old, .new], changeHandler: recorder.receives("·")),
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
          person.observe(
            \.boss?.name, options: .new, changeHandler: self.recorder.receives("path")),
          person.observe(
            \.bossName, options: .new, changeHandler: self.recorder.receives("computed")),
        ]
      }
      person.boss = Person("new")
      #expect(recorder.take() == [])
      former.name = "silent"
      person.boss?.name = "received"
      #expect(recorder.take() == ["path →received", "computed →received"])
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
      let second = person.observe(\.age, options: .new, changeHandler: recorder.receives("2"))
      person.age = 1
      #expect(
        recorder.take() == [
          "1 at 0 0→ prior", "1 at 1 0→1", "1 at 1 1→ prior", "2 →1", "1 at 2 1→2", "2 →2",
        ])
      withExtendedLifetime((first, second)) {}
    }
  }
}

@KeyValueObservable
private final class Room {
  var guest: Canary?
  var floor = 0 { didSet { floor = min(floor, 9) } }
}
