import KeyValueObserving
import Testing

extension AllTests {
  /// Paths and computed keys that begin to read a property in an open mutation block of it.
  @Suite("Readers that come in a mutation block")
  struct BlockReaderTests {
    private let recorder = Recorder()
    private let root = Person("root")
    private let first = Person("a")
    private let second = Person("b")
    private let tokens: [KeyValueObservation]

    init() throws {
      root.boss = first
      let options: KeyValueObservation.Options = [.old, .new]
      tokens = [
        root.observe(\.boss?.name, options: options, changeHandler: recorder.receives("typed")),
        try root.observe("boss.name", options: options, changeHandler: recorder.receives("string")),
        root.observe(\.bossName, options: options, changeHandler: recorder.receives("computed")),
        root.observe(\.boss?.name, changeHandler: recorder.receives("plain")),
      ]
    }

    /// The changes that the observers receive.
    private func changes(_ old: String, _ new: String, movesPath: Bool = false) -> [String] {
      let mark = movesPath ? " path" : ""
      return [
        "typed \(old)→\(new)\(mark)", "string \(old)→\(new)\(mark)", "plain →\(mark)",
        "computed \(old)→\(new)",
      ]
    }

    @Test("P11, P19: they are notified when it ends, from the value that they have found")
    func comes() {
      second.withMutation(of: \.name) {
        second.name = "c"
        root.boss = second
        #expect(Set(recorder.take()) == Set(changes("a", "c", movesPath: true)))
        second.name = "d"
        #expect(recorder.take() == [])
      }
      #expect(recorder.take() == changes("c", "d"))
      second.name = "e"
      #expect(Set(recorder.take()) == Set(changes("d", "e")))
    }

    @Test("P19: also beside observers that were there before, and behind them")
    func withOthers() {
      let token = second.observe(
        \.name, options: [.old, .new], changeHandler: recorder.receives("name"))
      second.withMutation(of: \.name) {
        root.boss = second
        second.name = "c"
        _ = recorder.take()
      }
      #expect(recorder.take() == ["name b→c"] + changes("b", "c"))
      withExtendedLifetime(token) {}
    }

    @Test("P24: all of them are evaluated before the first observer is called")
    func seesAll() {
      var seen: [String] = []
      let token = second.observe(\.name) { [unowned root] _, _ in seen.append(root.bossName) }
      second.withMutation(of: \.name) {
        root.boss = second
        second.name = "c"
        _ = recorder.take()
      }
      #expect(seen == ["c"])
      withExtendedLifetime(token) {}
    }

    @Test("P19, P25: they are not notified if they have gone by then")
    func leaves() {
      second.withMutation(of: \.name) {
        root.boss = second
        second.name = "c"
        _ = recorder.take()
        root.boss = first
        #expect(Set(recorder.take()) == Set(changes("b", "a", movesPath: true)))
      }
      #expect(recorder.take() == [])
      first.name = "z"
      #expect(Set(recorder.take()) == Set(changes("a", "z")))
    }

    @Test("P11, P19: those that have gone and come back are notified once")
    func comesBack() {
      first.withMutation(of: \.name) {
        first.name = "c"
        root.boss = second
        #expect(recorder.take().contains("typed a→b path"))
        first.name = "d"
        root.boss = first
        #expect(Set(recorder.take()) == Set(changes("b", "d", movesPath: true)))
        first.name = "e"
      }
      #expect(Set(recorder.take()) == Set(changes("d", "e")))
      first.name = "f"
      #expect(Set(recorder.take()) == Set(changes("e", "f")))
    }

    @Test("P11, P19: what they receive in between is where their change begins")
    func between() {
      let third = Person("t")
      second.withMutation(of: \.name) {
        root.boss = second
        root.boss = third
        third.name = "u"
        second.name = "c"
        _ = recorder.take()
        root.boss = second
        #expect(Set(recorder.take()) == Set(changes("u", "c", movesPath: true)))
        second.name = "d"
      }
      #expect(Set(recorder.take()) == Set(changes("c", "d")))
    }

    @Test("P17, P19: also if the block is left by an error, and its key was never observed")
    func error() {
      struct Failure: Error {}
      let other = Person("o")
      try? other.withMutation(of: \.name) {
        root.boss = other
        _ = recorder.take()
        other.name = "p"
        throw Failure()
      }
      #expect(recorder.take() == changes("o", "p"))
    }

    @Test("P13, P19: an observer that is registered in it is not notified, nor one that has ended")
    func observers() {
      var late: KeyValueObservation?
      second.withMutation(of: \.name) {
        root.boss = second
        late = root.observe(\.boss?.name, changeHandler: recorder.receives("late"))
        for token in tokens.dropFirst() { token.invalidate() }
        _ = recorder.take()
        second.name = "c"
      }
      #expect(recorder.take() == ["typed b→c"])
      withExtendedLifetime(late) {}
    }

    @Test("P19, P26: a path that comes to an intermediate property is one of those")
    func intermediate() {
      let top = Person("top")
      let token = top.observe(
        \.boss?.boss?.name, options: [.old, .new], changeHandler: recorder.receives("·"))
      root.withMutation(of: \.boss) {
        top.boss = root
        root.boss = second
        #expect(recorder.take().filter { $0.hasPrefix("·") } == ["· nil→a path"])
      }
      #expect(recorder.take().filter { $0.hasPrefix("·") } == ["· a→b path"])
      second.name = "c"
      #expect(recorder.take().filter { $0.hasPrefix("·") } == ["· b→c"])
      withExtendedLifetime(token) {}
    }

    @Test("P19, P22: a path to a computed key that begins to read the property, and one that comes")
    func computedKeys() {
      let top = Person("top", boss: root)
      let observers = [
        top.observe(\.boss?.bossName, options: [.old, .new], changeHandler: recorder.receives("·"))
      ]
      second.withMutation(of: \.name) {
        root.boss = second
        second.name = "c"
        _ = recorder.take()
      }
      #expect(recorder.take().filter { $0.hasPrefix("·") } == ["· b→c"])
      let other = Person("other", boss: second)
      second.withMutation(of: \.name) {
        top.boss = other
        #expect(recorder.take() == ["· c→c path"])
        second.name = "d"
      }
      #expect(recorder.take().filter { $0.hasPrefix("·") } == ["· c→d"])
      withExtendedLifetime(observers) {}
    }

    @Test("P9, P19: distinct drops the change if the value is the one that they have found")
    func distinct() {
      let token = root.observe(
        \.boss?.name, options: [.new, .distinct], changeHandler: recorder.receives("distinct"))
      second.withMutation(of: \.name) { root.boss = second }
      #expect(recorder.take().filter { $0.hasPrefix("distinct") } == ["distinct →b path"])
      second.withMutation(of: \.name) {
        second.name = "c"
        root.boss = first
        root.boss = second
        second.name = "d"
      }
      #expect(
        recorder.take().filter { $0.hasPrefix("distinct") } == [
          "distinct →a path", "distinct →c path", "distinct →d",
        ])
      withExtendedLifetime(token) {}
    }

    @Test("P19, P53: a block in a transaction is a part of that")
    func inTransaction() {
      withKeyValueTransaction {
        second.withMutation(of: \.name) {
          root.boss = second
          second.name = "c"
        }
      }
      #expect(Set(recorder.take()) == Set(changes("a", "c", movesPath: true)))
    }

    @Test("P19, P53: a transaction in a block leads them to the property")
    func aroundTransaction() {
      second.withMutation(of: \.name) {
        withKeyValueTransaction { root.boss = second }
        #expect(Set(recorder.take()) == Set(changes("a", "b", movesPath: true)))
        second.name = "c"
      }
      #expect(Set(recorder.take()) == Set(changes("b", "c")))
    }

    @Test("P11, P13, P19: one that came in the prior notification of the block is not notified")
    func cameInPrior() {
      var late: KeyValueObservation?
      let token = second.observe(\.name, options: .prior) {
        [unowned root, second, recorder] _, change in
        guard change.isPrior, late == nil else { return }
        late = root.observe(
          \.boss?.name, options: [.old, .new], changeHandler: recorder.receives("late"))
        root.boss = second
      }
      root.boss = second
      second.withMutation(of: \.name) {
        second.name = "c"
        root.boss = second
      }
      _ = recorder.take()
      second.name = "d"
      root.boss = first
      #expect(recorder.take().filter { $0.hasPrefix("late") } == ["late c→d", "late d→a path"])
      late = nil
      withExtendedLifetime(token) {}
    }

    @Test("P11, P19: a computed key begins to read the property in a block of itself")
    func ownBlock() {
      second.withMutation(of: \.name) {
        root.withMutation(of: \.bossName) { root.boss = second }
        #expect(recorder.take().filter { $0.hasPrefix("computed") } == ["computed a→b"])
        second.name = "c"
      }
      #expect(recorder.take().filter { $0.hasPrefix("computed") } == ["computed b→c"])
    }

    @Test("P11, P19: one that has gone is not taken for another one in its place")
    func sameAddress() {
      let others = (0..<50).map { Person("o\($0)", boss: first) }
      var late: [KeyValueObservation] = []
      second.withMutation(of: \.name) {
        root.boss = second
        for _ in 0..<50 {
          root.observe(\.boss?.name) { _, _ in }.invalidate()
        }
        late = others.map {
          $0.observe(\.boss?.name, options: [.old, .new], changeHandler: recorder.receives("late"))
        }
        _ = recorder.take()
        for other in others { other.boss = second }
        #expect(recorder.take() == Array(repeating: "late a→b path", count: 50))
        second.name = "c"
      }
      #expect(recorder.take().filter { $0 == "late b→c" }.count == 50)
      withExtendedLifetime(late) {}
    }

    @Test("P18, P19: a handler that leads its path away and back in a block of its own is stopped")
    func loop() {
      var calls = 0
      let observed = Person("observed", boss: second)
      let token = observed.observe(\.boss?.name) { [unowned second] observed, change in
        guard change.reason == .valueChanged else { return }
        calls += 1
        observed.boss = nil
        second.withMutation(of: \.name) {
          observed.boss = second
          second.name += "x"
        }
      }
      let reports = reportedIdentifiers { second.name = "c" }
      #expect(calls < 300)
      #expect(reports.isEmpty == false)
      withExtendedLifetime(token) {}
    }

    @Test("P11, P19: what the getter of one sets in the property is delivered behind the block")
    func setInGetter() {
      let trimming = Trimming(first)
      let tokens = [
        second.observe(\.name, options: [.old, .new], changeHandler: recorder.receives("name")),
        trimming.observe(
          \.trimmed, options: [.old, .new], changeHandler: recorder.receives("trimmed")),
      ]
      second.withMutation(of: \.name) {
        trimming.person = second
        second.name = "-c"
        _ = recorder.take()
      }
      #expect(recorder.take().filter { $0.hasPrefix("name") } == ["name b→-c", "name -c→c"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11, P19: a transaction that leads them there waits for a running delivery")
    func transactionThatWaits() {
      let person = Person("root", boss: first)
      var hasRun = false
      let tokens = [
        person.observe(\.age) { _, _ in },
        person.observe(\.boss) { [unowned second] person, _ in
          if hasRun { return }
          hasRun = true
          second.withMutation(of: \.name) {
            withKeyValueTransaction {
              person.age = 1
              person.boss = second
            }
            second.name = "c"
          }
        },
        person.observe(\.boss?.name, options: [.old, .new], changeHandler: recorder.receives("·")),
      ]
      person.boss = Person("z")
      #expect(recorder.take() == ["· a→z path", "· z→b path", "· b→c"])
      withExtendedLifetime(tokens) {}
    }
  }

  /// A class with a getter that changes what it reads.
  @KeyValueObservable
  final class Trimming {
    var person: Person

    var trimmed: String {
      if person.name.hasPrefix("-") { person.name.removeFirst() }
      return person.name
    }

    init(_ person: Person) {
      self.person = person
    }
  }
}
