import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  @Suite("Objects that have never been observed")
  struct NeverObservedTests {
    private let person = Person("a")

    /// Whether setters look for observers, other than for a transaction of another thread.
    private var isTakenForObserved: Bool { person.existingContext != nil }

    @Test("P16, P19: a pair and edits by proxy leave an object as one that was never observed")
    func withoutScope() throws {
      person.willChangeValue(for: \.age)
      person.didChangeValue(for: \.age)
      person.willChange(.insertion, valuesAt: RangeSet(0..<1), for: \.tags)
      person.didChange(.insertion, valuesAt: RangeSet(0..<1), for: \.tags)
      person.mutableArrayValue(for: \.tags).append("x")
      try person.setValue(2, forKey: "age")
      #expect(!isTakenForObserved)
    }

    @Test("P16, P19: so does a mutation block, after which setters only store")
    func mutationBlock() {
      person.withMutation(of: \.age) { person.age = 1 }
      person.withMutation(forKey: "name") { person.name = "b" }
      #expect(!isTakenForObserved)
    }

    @Test(
      "P13, P19: an observer that is registered in a block receives nothing from the block")
    func registeredInBlock() {
      let recorder = Recorder()
      var token: KeyValueObservation?
      person.withMutation(of: \.age) {
        person.withMutation(of: \.age) {
          token = person.observe(
            \.age, options: [.old, .new], changeHandler: recorder.receives("age"))
          person.age = 1
        }
        person.age = 2
      }
      #expect(recorder.take() == [])
      person.age = 3
      #expect(recorder.take() == ["age 2→3"])
      person.withMutation(of: \.age) { person.age = 4 }
      #expect(recorder.take() == ["age 3→4"])
      withExtendedLifetime(token) {}
    }

    @Test(
      "P13, P24: a path that is registered in a block follows the object that it sets")
    func pathRegisteredInBlock() {
      let recorder = Recorder()
      let boss = Person("boss")
      var token: KeyValueObservation?
      person.withMutation(of: \.boss) {
        token = person.observe(\.boss?.age, options: .new, changeHandler: recorder.receives("path"))
        person.boss = boss
      }
      #expect(recorder.take() == [])
      boss.age = 1
      #expect(recorder.take() == ["path →1"])
      withExtendedLifetime(token) {}
    }

    @Test("P16, P19: so does a mutation block of elements")
    func mutationBlockOfElements() {
      person.withMutation(of: \.tags, .insertion, at: RangeSet(0..<1)) {
        person.tags.insert("x", at: 0)
      }
      #expect(!isTakenForObserved)
    }
  }
}
