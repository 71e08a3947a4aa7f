import KeyValueObserving
import Testing

extension AllTests {
  /// Closures that stand in an audience, which deliveries read while it changes.
  @Suite("Audiences that change")
  struct AudienceTests {
    private let recorder = Recorder()

    /// Signals by its deinitialization that the closure which captured it was released.
    private final class Captured {}

    private final class Tokens {
      var kept: [KeyValueObservation] = []
    }

    @Test("P31: who ends after the audience grew, in the same delivery, is not called")
    func endsAfterGrowth() {
      let person = Person("a")
      let tokens = Tokens()
      var isFirst = true
      tokens.kept = [
        person.observe(\.age) { person, _ in
          guard isFirst else { return }
          isFirst = false
          for _ in 0..<30 { tokens.kept.append(person.observe(\.age) { _, _ in }) }
          tokens.kept[1].invalidate()
          tokens.kept.remove(at: 2)
        },
        person.observe(\.age, changeHandler: recorder.receives("invalidated")),
        person.observe(\.age, changeHandler: recorder.receives("dropped")),
        person.observe(\.age, options: .new, changeHandler: recorder.receives("stays")),
      ]
      person.age = 1
      #expect(recorder.take() == ["stays →1"])
      person.age = 2
      #expect(recorder.take() == ["stays →2"])
    }

    @Test("P32: a closure that ends while it is called is released when the delivery is done")
    func releasedAfterDelivery() {
      let person = Person("a")
      weak var watched: Captured?
      var token: KeyValueObservation?
      var wasAlive = false
      do {
        let captured = Captured()
        watched = captured
        token = person.observe(\.age) { _, _ in
          token = nil
          wasAlive = watched != nil
          withExtendedLifetime(captured) {}
        }
      }
      #expect(watched != nil)
      person.age = 1
      #expect(wasAlive)
      #expect(token == nil)
      #expect(watched == nil)
    }

    @Test("P33: the closures of a deallocated object are released, though their tokens are kept")
    func releasedWithSubject() {
      weak var watched: Captured?
      var tokens: [KeyValueObservation] = []
      do {
        let person = Person("a")
        let captured = Captured()
        watched = captured
        tokens.append(person.observe(\.age) { _, _ in withExtendedLifetime(captured) {} })
        tokens.append(person.observe(\.age) { _, _ in })
      }
      #expect(watched == nil)
      for token in tokens { token.invalidate() }
    }

    @Test("P13: an observer registered in a prior notification does not receive that change")
    func registeredInPrior() {
      let person = Person("a")
      let tokens = Tokens()
      tokens.kept = [
        person.observe(\.name, options: .prior) { _, _ in },
        person.observe(\.age, options: .prior) { person, change in
          guard change.isPrior, tokens.kept.count == 2 else { return }
          tokens.kept.append(
            person.observe(\.age, options: .new, changeHandler: recorder.receives("late")))
          // A change that has priors of its own makes the audience be fixed once more.
          person.name = "b"
        },
      ]
      person.age = 1
      #expect(recorder.take() == [])
      person.age = 2
      #expect(recorder.take() == ["late →2"])
    }

    @Test(
      "P2, P10: adjacent observers that request different values each receive theirs, in order")
    func mixedDemands() {
      let person = Person("a")
      let tokens = [
        person.observe(\.age, options: [.old, .new], changeHandler: recorder.receives("both")),
        person.observe(\.age, changeHandler: recorder.receives("none")),
        person.observe(\.age, options: .new, changeHandler: recorder.receives("new")),
        person.observe(\.age, options: .old, changeHandler: recorder.receives("old")),
        person.observe(\.age, options: [.old, .new], changeHandler: recorder.receives("again")),
      ]
      person.age = 1
      #expect(recorder.take() == ["both 0→1", "none →", "new →1", "old 0→", "again 0→1"])
      tokens[0].invalidate()
      person.age = 2
      #expect(recorder.take() == ["none →", "new →2", "old 1→", "again 1→2"])
      withExtendedLifetime(tokens) {}
    }
  }
}
