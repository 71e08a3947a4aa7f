import KeyValueObserving
import Testing

extension AllTests {
  /// A notification loop that is stopped while a callback of another key is around it, as the main
  /// loop of a program may be.
  @Suite("Observers after their notification loop")
  struct SuspendedObserverTests {
    private let recorder = Recorder()

    /// Runs `body` inside of a callback.
    private func insideCallback(_ body: @escaping () -> Void) {
      let outer = Person("outer")
      let token = outer.observe(\.name) { _, _ in body() }
      outer.name = "b"
      withExtendedLifetime(token) {}
    }

    @Test("P18: an observer whose loop was stopped receives later changes inside of a callback")
    func property() {
      let reports = Diagnostics()
      let person = Person("a")
      var isLooping = true
      let token = person.observe(\.age, options: .new) { person, change in
        if isLooping { return person.age += 1 }
        self.recorder.write("age", change)
      }
      insideCallback {
        person.age = 1
        isLooping = false
        person.age = -1
      }
      #expect(reports.take().count == 1)
      #expect(recorder.history == ["age →-1"])
      _ = recorder.take()
      person.age = -2
      #expect(recorder.take() == ["age →-2"])
      withExtendedLifetime(token) {}
    }

    @Test("P18, P25: so does one of a path, also if another key of the path changes")
    func otherKey() {
      let reports = Diagnostics()
      let person = Person("a", boss: Person("1"))
      let other = Person("2")
      other.age = -1
      var isLooping = true
      let token = person.observe(\.boss?.age, options: .new) { person, change in
        if isLooping { return person.boss!.age += 1 }
        self.recorder.write("age", change)
      }
      insideCallback {
        person.boss!.age = 1
        isLooping = false
        person.boss = other
      }
      #expect(reports.take().count == 1)
      #expect(recorder.history == ["age →-1 path"])
      _ = recorder.take()
      other.age = -2
      #expect(recorder.take() == ["age →-2"])
      withExtendedLifetime(token) {}
    }

    // The addresses of those that have ended are given to others.
    @Test("P18: an observer is called that comes when one whose loop was stopped has ended")
    func address() {
      let reports = Diagnostics()
      let outer = Person("outer")
      let recorder = recorder
      func register(_ person: Person, _ handler: @escaping () -> Void) -> [KeyValueObservation] {
        [
          person.observe(\.age) { _, _ in handler() },
          person.observe(\.boss?.age) { _, _ in handler() },
        ]
      }
      let token = outer.observe(\.name) { outer, _ in
        // The rest is done in a change that has waited, at whose end observers are called again.
        if outer.name == "b" { return outer.name = "c" }
        let (person, boss) = (Person("a"), Person("b"))
        person.boss = boss
        var tokens = register(person) { [unowned person, unowned boss] in
          person.age += 1
          boss.age += 1
        }
        person.age = 1
        boss.age = 1
        tokens = []
        for _ in 0..<100 { tokens += register(person) { recorder.write("called") } }
        person.age = -1
        boss.age = -1
        #expect(recorder.take().count == 200)
        withExtendedLifetime(tokens) {}
      }
      outer.name = "b"
      #expect(!reports.take().isEmpty)
      withExtendedLifetime(token) {}
    }
  }
}
