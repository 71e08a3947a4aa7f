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
      "P18: several observers that set a property before it is set are stopped, with a final value",
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
      #expect(last == [2000, 2000, 2000] && calls > 100, "priors are received again")
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
      #expect(last == person.age && calls < 1000, "\(calls) calls")
      #expect(reports.take().count == 4)
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P18: two observers that undo each other are both stopped, the third receives the final value"
    )
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

    /// How a callback that sets `age` is registered: for the property, a computed key, or a path.
    enum Registered: CaseIterable {
      case property, computedKey, path
    }

    /// Calls `body` with the age that each change brings.
    private func observe(
      _ person: Person, as registered: Registered, _ body: @escaping (Int) -> Void
    ) -> KeyValueObservation {
      switch registered {
      case .property: return person.observe(\.age) { person, _ in body(person.age) }
      case .computedKey:
        return person.observe(\.title, options: .new) { _, change in
          body(Int(change.newValue!.dropFirst(3).dropLast())!)
        }
      case .path:
        person.boss = person
        return person.observe(\.boss?.age, options: .new) { _, change in body(change.newValue!!) }
      }
    }

    @Test(
      "P18, P11: a callback that makes many changes and stops is no loop",
      arguments: Registered.allCases)
    func manyChanges(registered: Registered) {
      let reports = Diagnostics()
      let person = Person("a")
      var ages: [Int] = []
      let tokens = [
        observe(person, as: registered) { age in
          if age == 1 { for next in 2...150 { person.age = next } }
          if age == 150 { for next in 151...1500 { person.age = next } }
        },
        observe(person, as: registered) { ages.append($0) },
      ]
      person.age = 1
      let expected = Array(1...1500)
      // Once for each change of the property, with the value as it is then, or as the change brought it.
      #expect(ages.count == 1500 && ages.last == 1500)
      #expect(registered == .property || ages == expected)
      #expect(reports.take() == [])
      tokens.forEach { $0.invalidate() }
      person.boss = nil
    }

    @Test("P18, P11: changes that end after 99 rounds are no loop, several of them in each round")
    func lastRound() {
      let reports = Diagnostics()
      let person = Person("a")
      let countdown = person.observe(\.age, options: .new) { person, change in
        let age = change.newValue!
        if age == 1000 { for _ in 0..<20 { person.age = 99 } }
        if age > 0, age < 1000 { person.age = age - 1 }
      }
      var ages: [Int] = []
      let token = person.observe(\.age, options: .new) { ages.append($1.newValue!) }
      person.age = 1000
      #expect(ages == [1000] + (0...99).reversed().flatMap { Array(repeating: $0, count: 20) })
      #expect(reports.take() == [])
      withExtendedLifetime((countdown, token)) {}
    }

    @Test(
      "P18: a callback that makes two changes for each that it receives is stopped",
      arguments: Registered.allCases)
    func doubling(registered: Registered) {
      let reports = Diagnostics()
      let person = Person("a")
      var calls = 0
      var last = 0
      let tokens = [
        observe(person, as: registered) { _ in
          calls += 1
          person.age += 1
          person.age += 1
        },
        observe(person, as: registered) { last = $0 },
      ]
      person.age = 1
      #expect(last == person.age && calls < 20_000)
      #expect(reports.take().count >= 1)
      tokens.forEach { $0.invalidate() }
      person.boss = nil
    }

    @Test("P18: callbacks that set each other's properties several times are stopped")
    func doublingAround() {
      let reports = Diagnostics()
      let person = Person("a")
      var calls = 0
      var last = (0, "")
      let tokens = [
        person.observe(\.age) { person, _ in
          calls += 1
          for _ in 0..<3 { person.name += "x" }
        },
        person.observe(\.name) { person, _ in
          calls += 1
          for _ in 0..<3 { person.age += 1 }
        },
        person.observe(\.age) { person, _ in person.age += 1 },
        person.observe(\.age, options: .new) { last.0 = $1.newValue! },
        person.observe(\.name, options: .new) { last.1 = $1.newValue! },
      ]
      person.age = 1
      #expect(last == (person.age, person.name) && calls < 200_000)
      #expect(!reports.take().isEmpty)
      withExtendedLifetime(tokens) {}
    }
  }
}
