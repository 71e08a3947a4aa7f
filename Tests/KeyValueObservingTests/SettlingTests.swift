import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  @Suite("Deliveries that do not settle")
  struct SettlingTests {
    private let recorder = Recorder()

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

    @Test(
      "P18: several who set a property before it is set are stopped, and all hear the end",
      arguments: [false, true])
    func priorLoops(isComputed: Bool) {
      let reports = Diagnostics()
      let person = Person("a")
      var calls = 0
      var last = [0, 0, 0]
      func act(_ observer: Int) -> (Person, Bool) -> Void {
        { person, isPrior in
          calls += 1
          if isPrior, observer < 2 { person.age += 1 }
          if !isPrior { last[observer] = person.age }
        }
      }
      let tokens = (0...2).map { observer in
        let act = act(observer)
        return isComputed
          ? person.observe(\.title, options: .prior) { act($0, $1.isPrior) }
          : person.observe(\.age, options: .prior) { act($0, $1.isPrior) }
      }
      person.age = 1000
      #expect(person.age == 1000 && last == [1000, 1000, 1000])
      #expect(calls < 2000)
      #expect(reports.take().count == (isComputed ? 1 : 2))
      calls = 0
      person.age = 2000
      #expect(last == [2000, 2000, 2000] && calls > 100, "priors are heard again")
      #expect(!reports.take().isEmpty)
      withExtendedLifetime(tokens) {}
    }

    @Test("P18: one who sets a property before and after it is set is stopped")
    func loopOnBothSides() {
      let reports = Diagnostics()
      let person = Person("a")
      var calls = 0
      var last = 0
      let tokens = [
        person.observe(\.age, options: .prior) { person, _ in
          calls += 1
          person.age += 1
        },
        person.observe(\.age, options: .new) { last = $1.newValue! },
      ]
      person.age = 1000
      #expect(last == person.age && calls < 1000)
      #expect(reports.take().count == 4)
      withExtendedLifetime(tokens) {}
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
