import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

extension AllTests {
  /// Paths that move between the beginning and the end of a change of their final component.
  @Suite("Paths that move during a change")
  struct PathMoveTests {
    private let recorder = Recorder()

    @Test("P25: a final component that a prior callback detaches is not notified")
    func detachedInPrior() throws {
      let boss = Person("boss")
      let person = Person("root", boss: boss)
      let tokens = [
        boss.observe(\.age, options: .prior) { _, change in
          if change.isPrior, person.boss != nil, boss.age == 0 { person.boss = nil }
        },
        person.observe(
          \.boss?.age, options: [.new, .old], changeHandler: recorder.receives("age")),
        person.observe(
          \.boss?.title, options: [.new, .old], changeHandler: recorder.receives("title")),
      ]
      boss.age = 7
      #expect(recorder.take() == ["age 0→nil path", "title boss (0)→nil path"])
      boss.age = 8
      #expect(recorder.take() == [])
      person.boss = boss
      #expect(recorder.take() == ["age nil→8 path", "title nil→boss (8) path"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P25: a final component that is detached while it is being changed is not notified")
    func detachedInMutation() {
      for isInPlace in [true, false] {
        let former = Person("former")
        let next = Person("next")
        let person = Person("root", boss: former)
        former.tags = ["a", "b"]
        let tokens = [
          person.observe(\.boss?.tags, options: .new, changeHandler: recorder.receives("tags")),
          person.observe(
            \.boss?.tagCount, options: .new, changeHandler: recorder.receives("count")),
        ]
        if isInPlace {
          former.tags.removeAll { tag in
            if tag == "a" { person.boss = next }
            return true
          }
        } else {
          former.withMutation(of: \.tags) {
            person.boss = next
            former.tags = []
          }
        }
        #expect(recorder.take() == ["tags →[] path", "count →0 path"])
        next.tags.append("c")
        #expect(recorder.take() == ["tags →[\"c\"]", "count →1"])
        former.observationContext.checkInvariants()
        withExtendedLifetime(tokens) {}
      }
    }

    @Test("P11: a path that leaves and comes back during a mutation receives the result")
    func backInMutation() {
      let boss = Person("boss")
      let person = Person("root", boss: boss)
      let tokens = [
        person.observe(\.boss?.tags, options: .new, changeHandler: recorder.receives("tags")),
        person.observe(\.boss?.tagCount, options: .new, changeHandler: recorder.receives("count")),
      ]
      boss.withMutation(of: \.tags) {
        person.boss = nil
        person.boss = boss
        boss.tags = ["a"]
      }
      #expect(recorder.take().suffix(2) == ["tags →[\"a\"]", "count →1"])
      boss.observationContext.checkInvariants()
      withExtendedLifetime(tokens) {}
    }

    @Test("P5: a change that a path leaves in its prior callback keeps no object")
    func releasesWhatItLeaves() {
      let boss = Person("boss")
      var person: Person? = Person("root", boss: boss)
      weak let remains = person
      let tokens = [
        boss.observe(\.age, options: .prior) { [unowned boss] _, change in
          if change.isPrior, boss.age == 0 { person?.boss = nil }
        },
        person!.observe(\.boss?.title, options: [.new, .old]) { _, _ in },
      ]
      boss.age = 7
      person = nil
      #expect(remains == nil)
      withExtendedLifetime(tokens) {}
    }

    @Test("P11: a path that moves in a prior callback receives the change in progress")
    func movesInPrior() {
      let former = Person("former")
      let next = Person("next")
      let person = Person("root", boss: former)
      let counter = former.observe(\.age) { _, _ in }
      for age in 1...20 { former.age = age }
      let tokens = [
        next.observe(\.age, options: .prior) { _, change in
          if change.isPrior { person.boss = next }
        },
        person.observe(
          \.boss?.age, options: [.new, .old], changeHandler: recorder.receives("path")),
      ]
      next.age = 7
      #expect(recorder.take() == ["path 20→0 path", "path 0→7"])
      withExtendedLifetime((tokens, counter)) {}
    }
  }
}
