import KeyValueObserving
import Testing

extension AllTests {
  /// Paths that move between the halves of a manual change.
  @Suite("Pairs around moving paths")
  struct MovingPairTests {
    private let recorder = Recorder()
    private let first = Person("a")
    private let root = Person("root")
    private let tokens: [KeyValueObservation]

    init() throws {
      let options: KeyValueObservation.Options = [.old, .new, .prior]
      root.boss = first
      tokens = [
        root.observe(\.boss?.name, options: options, changeHandler: recorder.receives("typed")),
        try root.observe("boss.name", options: options, changeHandler: recorder.receives("string")),
        root.observe(\.bossName, options: options, changeHandler: recorder.receives("computed")),
      ]
    }

    /// The changes that the three observers receive when the value changes with the intermediate
    /// object.
    private func moving(_ old: String, to new: String) -> [String] {
      [
        "typed \(old)→ prior path", "string \(old)→ prior path", "computed \(old)→ prior",
        "typed \(old)→\(new) path", "string \(old)→\(new) path", "computed \(old)→\(new)",
      ]
    }

    @Test("P19, P25: a pair for a link is one change, and a set of the link within it another")
    func pairForLink() {
      root.willChangeValue(for: \.boss)
      #expect(recorder.take() == Array(moving("a", to: "b").prefix(3)))
      root.boss = Person("b")
      #expect(recorder.take() == moving("a", to: "b"))
      root.didChangeValue(for: \.boss)
      #expect(recorder.take() == Array(moving("a", to: "b").suffix(3)))
      withExtendedLifetime(tokens) {}
    }

    @Test("P19, P25: what a path has left completes nothing, the change of the link has done so")
    func pairForLastKey() {
      first.willChangeValue(for: \.name)
      #expect(recorder.take() == ["typed a→ prior", "string a→ prior", "computed a→ prior"])
      root.boss = Person("b")
      #expect(recorder.take() == moving("a", to: "b"))
      first.didChangeValue(for: \.name)
      #expect(recorder.take() == [])
      root.boss?.name = "c"
      #expect(recorder.take().suffix(3) == ["typed b→c", "string b→c", "computed b→c"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19, P25: neither does it where the path is led back within the pair")
    func backWithinPair() {
      first.willChangeValue(for: \.name)
      root.boss = Person("b")
      root.boss = first
      #expect(
        recorder.take().dropFirst(3) == ArraySlice(moving("a", to: "b") + moving("b", to: "a")))
      first.didChangeValue(for: \.name)
      #expect(recorder.take() == [])
      first.name = "z"
      #expect(recorder.take().suffix(3) == ["typed a→z", "string a→z", "computed a→z"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P19, P25: a link in the middle of a path is left in the same way")
    func pairForMiddleLink() {
      let top = Person("top", boss: root)
      let token = top.observe(
        \.boss?.boss?.name, options: [.old, .new, .prior], changeHandler: recorder.receives("·"))
      root.willChangeValue(for: \.boss)
      #expect(recorder.take().filter { $0.hasPrefix("·") } == ["· a→ prior path"])
      top.boss = Person("r", boss: Person("b"))
      #expect(recorder.take() == ["· a→ prior path", "· a→b path"])
      root.didChangeValue(for: \.boss)
      #expect(recorder.take().contains { $0.hasPrefix("·") } == false)
      withExtendedLifetime((token, tokens)) {}
    }
  }
}
