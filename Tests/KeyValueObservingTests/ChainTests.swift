import KeyValueObserving
import TestSupport
import Testing

extension AllTests {
  /// A change that is delivered while another one of the same key is being made.
  @Suite("Old values of changes in changes")
  struct ChainTests {
    private let recorder = Recorder()
    private let team = Team()

    @Test(
      "P11, P19: a set in a mutation block of another input follows the last value, and is followed"
    )
    func setInScope() {
      let tokens = [
        team.observe(\.total, options: [.old, .new], changeHandler: recorder.receives("total")),
        team.observe(
          \.next?.total, options: [.old, .new], changeHandler: recorder.receives("path")),
      ]
      team.withMutation(of: \.base) {
        team.base = 1
        team.bonus = 10
        team.bonus = 20
      }
      #expect(recorder.take() == ["total 0→11", "total 11→21", "total 21→21"])
      team.next = Team()
      team.withMutation(of: \.next) {
        team.next = Team()
        team.next?.bonus = 3
      }
      #expect(recorder.take() == ["path nil→0 path", "path 0→3 path"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "P11, P19: the old values of a path chain if its last key is set in a block of another one")
    func lastKeyInBlock() {
      team.next = Team()
      let token = team.observe(
        \.next?.base, options: [.old, .new], changeHandler: recorder.receives("path"))
      team.withMutation(of: \.next) { team.next?.base = 3 }
      #expect(recorder.take() == ["path 0→3", "path 3→3 path"])
      withExtendedLifetime(token) {}
    }

    @Test("P11, P19: mutation blocks of two inputs are ordered consistently")
    func nestedScopes() {
      let token = team.observe(
        \.total, options: [.old, .new], changeHandler: recorder.receives("total"))
      team.withMutation(of: \.base) {
        team.base = 1
        team.withMutation(of: \.bonus) { team.bonus = 10 }
        team.base = 2
      }
      #expect(recorder.take() == ["total 0→11", "total 11→12"])
      withExtendedLifetime(token) {}
    }

    @Test("P11, P19: a block of a computed key in one of an input follows the last value too")
    func computedKeyInBlock() {
      let token = team.observe(
        \.total, options: [.old, .new], changeHandler: recorder.receives("total"))
      team.withMutation(of: \.base) { team.withMutation(of: \.total) { team.base = 1 } }
      #expect(recorder.take() == ["total 0→1", "total 1→1"])
      team.withMutation(of: \.base) {
        team.bonus = 10
        team.base = 2
        team.withMutation(of: \.total) { team.base = 3 }
        team.base = 4
      }
      #expect(recorder.take() == ["total 1→11", "total 11→13", "total 13→14"])
      token.invalidate()
    }

    @Test("P11, P19: so does a pair of a computed key, also where no observer requests new values")
    func pairOfComputedKeyInBlock() {
      let tokens = [\Team.total, \.base].map {
        team.observe($0, options: .old, changeHandler: recorder.receives("old"))
      }
      team.withMutation(of: \.base) {
        team.base = 1
        team.willChangeValue(for: \.total)
        team.base = 2
        team.didChangeValue(for: \.total)
        team.bonus = 10
      }
      #expect(recorder.take() == ["old 0→", "old 2→", "old 0→", "old 12→"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11, P19, P44: a block of a computed key in a transaction in one of an input chains too")
    func computedKeyInTransactionInBlock() {
      let token = team.observe(
        \.total, options: [.old, .new], changeHandler: recorder.receives("total"))
      team.withMutation(of: \.base) {
        team.base = 1
        withKeyValueTransaction { team.withMutation(of: \.total) { team.base = 2 } }
        team.base = 3
      }
      #expect(recorder.take() == ["total 0→2", "total 2→3"])
      token.invalidate()
    }

    @Test("P11, P19: both chain where they wait for a running delivery of the key")
    func computedKeyInBlockInDelivery() {
      let token = team.observe(\.total, options: [.old, .new]) { [recorder] team, change in
        recorder.receives("total")(team, change)
        guard change.newValue == 1 else { return }
        team.withMutation(of: \.base) {
          team.withMutation(of: \.total) { team.base = 2 }
          team.base = 3
        }
      }
      team.base = 1
      #expect(recorder.take() == ["total 0→1", "total 1→2", "total 2→3"])
      token.invalidate()
    }

    @Test("P11, P19: a block of an intermediate property follows a set in it that has to wait")
    func lastKeyInBlockInDelivery() {
      let next = Team()
      team.next = next
      let token = team.observe(\.next?.base, options: [.old, .new]) { [recorder] team, change in
        recorder.receives("path")(team, change)
        guard change.newValue == 3 else { return }
        team.withMutation(of: \.next) { next.base = 1 }
      }
      next.base = 3
      #expect(recorder.take() == ["path 0→3", "path 3→1", "path 1→1 path"])
      withExtendedLifetime(token) {}
    }

    @Test(
      "P11, P19, P26: so it does if that is an edit, and then leads the path to another object",
      arguments: [false, true], [false, true])
    func editInBlockInDelivery(isLinkComputed: Bool, isOldOnly: Bool) {
      let (first, last) = (Team(), Team())
      team.next = first
      last.names = ["c"]
      for isKeyDelivered in [true, false] {
        var act: (() -> Void)? = { [unowned team, unowned first, unowned last] in
          team.withMutation(of: \.next) {
            first.mutableArrayValue(for: \.names).insert("x", at: 0)
            team.next = last
          }
        }
        let tokens = [
          team.observe(\.next) { _, _ in act.take()?() },
          team.observe(
            isLinkComputed ? \.deputy?.names : \.next?.names,
            options: isOldOnly ? .old : [.old, .new]
          ) { [recorder] team, change in
            recorder.receives("path")(team, change)
            act.take()?()
          },
        ]
        if isKeyDelivered { first.names = ["b"] } else { team.next = first }
        let (from, by) = isKeyDelivered ? (#"["a"]"#, "") : (#"["c"]"#, " path")
        #expect(
          recorder.take() == [
            "path \(from)→\(isOldOnly ? "" : #"["b"]"#)\(by)",
            "path →\(isOldOnly ? "" : #"["x"]"#) insertion [0]",
            #"path ["x", "b"]→\#(isOldOnly ? "" : #"["c"]"#) path"#,
          ])
        first.names = ["b"]
        withExtendedLifetime(tokens) {}
      }
    }

    @Test(
      "P11, P19, P26: and if it first leads the path away, and then edits the former object",
      arguments: [false, true], [false, true])
    func editOfFormerObjectInBlock(isInDelivery: Bool, isOldOnly: Bool) {
      let (first, last) = (Team(), Team())
      team.next = first
      last.names = ["c"]
      var act: (() -> Void)? = { [unowned team, unowned first, unowned last] in
        team.withMutation(of: \.next) {
          team.next = last
          first.mutableArrayValue(for: \.names).insert("x", at: 0)
          if isOldOnly { first.names = ["y"] }
        }
      }
      let token = team.observe(\.next?.names, options: isOldOnly ? .old : [.old, .new]) {
        [recorder] team, change in
        recorder.receives("path")(team, change)
        act.take()?()
      }
      if isInDelivery { first.names = ["b"] } else { act.take()?() }
      let element = isInDelivery ? "b" : "a"
      let received =
        isOldOnly
        ? ["path → insertion [0]", #"path ["x", "\#(element)"]→"#, #"path ["y"]→ path"#]
        : [#"path →["x"] insertion [0]"#, #"path ["x", "\#(element)"]→["c"] path"#]
      #expect(
        recorder.take() == (isInDelivery ? [#"path ["a"]→\#(isOldOnly ? "" : #"["b"]"#)"#] : [])
          + received)
      withExtendedLifetime((token, first, last)) {}
    }

    @Test("P11, P19: and a block of an input follows one of the key that waits behind a set")
    func computedKeyBehindSetInDelivery() {
      let token = team.observe(\.total, options: [.old, .new]) { [recorder] team, change in
        recorder.receives("total")(team, change)
        guard change.newValue == 1 else { return }
        team.withMutation(of: \.base) {
          team.bonus = 10
          team.withMutation(of: \.total) { team.base = 2 }
        }
      }
      team.base = 1
      #expect(recorder.take() == ["total 0→1", "total 1→11", "total 11→12", "total 12→12"])
      token.invalidate()
    }

    @Test("P11, P19, P44: so does a transaction in a callback that comes before the path's turn")
    func transactionInBlock() {
      let next = Team()
      team.next = next
      let tokens = [
        next.observe(\.base) { next, _ in
          if next.base != 3 { return }
          withKeyValueTransaction { next.base = 4 }
        },
        team.observe(
          \.next?.base, options: [.old, .new], changeHandler: recorder.receives("path")),
      ]
      team.withMutation(of: \.next) { next.base = 3 }
      #expect(recorder.take() == ["path 0→3", "path 3→4", "path 4→4 path"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11, P19, P47: what a rolled-back transaction in a block finds stays with the block")
    func rolledBackInBlock() {
      let tokens = [
        team.observe(\.total, options: [.old, .new], changeHandler: recorder.receives("total")),
        team.observe(
          \.total, options: [.old, .new, .prior], changeHandler: recorder.receives("prior")),
      ]
      team.withMutation(of: \.base) {
        team.base = 1
        try? withKeyValueTransaction {
          team.bonus = 10
          throw Refused()
        }
      }
      #expect(
        recorder.take() == [
          "prior 0→ prior", "prior 0→ prior", "prior 0→0", "total 0→1", "prior 0→1",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11, P27: a deallocation caused by a set and the set are ordered consistently")
    func deallocationInSet() throws {
      team.lead = Player("a")
      team.star = team.lead
      team.players = [Player("b"), Player("c")]
      team.players[0].friend = team.players[1]
      let tokens = [
        team.observe(\.text, options: [.old, .new], changeHandler: recorder.receives("text")),
        try team.observe(
          "players.friend.name", options: [.old, .new], changeHandler: recorder.receives("friends")),
      ]
      team.lead = nil
      #expect(recorder.take() == ["text a a→- a", "text - a→- -"])
      team.players = [team.players[0]]
      #expect(
        recorder.take() == [
          "friends [Optional(\"c\"), nil]→[Optional(\"c\")]", "friends →[nil]",
        ])
      withExtendedLifetime(tokens) {}
    }

    @Test("P2, P11: the old value of an enclosing change is present if no observer requests new")
    func oldOnly() {
      let first = Team()
      team.next = first
      let token = team.observe(
        \.next?.next?.base, options: .old, changeHandler: recorder.receives("base"))
      first.next = Team()
      #expect(recorder.take() == ["base nil→ path"])
      let third = Team()
      third.base = 3
      team.withMutation(of: \.next) { first.next = third }
      #expect(recorder.take() == ["base 0→ path", "base 3→ path"])
      withExtendedLifetime(token) {}
    }

    @Test(
      "P11, P19: changes that wait in a block of another input take linear time",
      arguments: [false, true], [false, true])
    func linearTime(isPath: Bool, isBlockInside: Bool) {
      func time(_ count: Int) -> Duration {
        let (team, next) = (Team(), Team())
        team.next = next
        let (observed, key) = isPath ? (team, "next") : (next, "base")
        func set(_ numbers: Range<Int>, inBlock isInBlock: Bool) {
          func set() { for number in numbers { next.bonus = number } }
          if isInBlock { observed.withMutation(forKey: key, set) } else { set() }
        }
        var act: (() -> Void)? = { set(1..<count, inBlock: isBlockInside) }
        let token =
          isPath
          ? team.observe(\.next?.bonus, options: [.old, .new]) { _, _ in act.take()?() }
          : next.observe(\.total, options: [.old, .new]) { _, _ in act.take()?() }
        let time = processorTime { set(0..<1, inBlock: !isBlockInside) }
        withExtendedLifetime(token) {}
        return time
      }
      #expect(slowdown(at: 4000, measuring: time) < 10)
    }

    @Test("P11: a path in a block of a computed key, in a prior callback of an input, chains too")
    func computedKeyInBlockInPrior() {
      let next = Team()
      team.next = next
      var act: (() -> Void)? = { [unowned next] in
        next.bonus = 1
        next.withMutation(of: \.total) {}
      }
      let tokens = [
        next.observe(\.total, options: .prior) { _, _ in act.take()?() },
        team.observe(
          \.next?.total, options: [.old, .new, .prior], changeHandler: recorder.receives("·")),
      ]
      next.base = 5
      #expect(
        recorder.take() == ["· 0→ prior", "· 0→1", "· 1→ prior", "· 1→1", "· 1→ prior", "· 1→6"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P11: what a prior callback does elsewhere leaves the old values in the chain")
    func setInPrior() {
      let tokens = [
        team.observe(\.total, options: [.old, .new], changeHandler: recorder.receives("total")),
        team.observe(\.bonus, options: .prior) { team, change in
          if change.isPrior { team.next = nil }
        },
        team.observe(\.next?.base) { _, _ in },
      ]
      team.withMutation(of: \.base) {
        team.base = 1
        team.bonus = 10
      }
      #expect(recorder.take() == ["total 0→11", "total 11→11"])
      withExtendedLifetime(tokens) {}
    }

    @Test("P37: elements of a computed array inserted in a mutation block are delivered once")
    func elementsInScope() {
      team.players = [Player("a")]
      var came: [String] = []
      let token = team.observeElements(of: \.able) { _, change in
        came += change.insertions.map(\.element.name)
      }
      team.withMutation(of: \.players) {
        team.players.append(Player("b"))
        team.players[1].isAble = true
        team.players[0].isAble = true
      }
      #expect(came == ["a", "b"])
      withExtendedLifetime(token) {}
    }
  }
}

@KeyValueObservable
private final class Team {
  var base = 0
  var bonus = 0
  var next: Team?
  var lead: Player?
  weak var star: Player?
  var players: [Player] = []
  var names = ["a"]

  var deputy: Team? { next }
  var total: Int { base + bonus }
  var text: String { "\(lead?.name ?? "-") \(star?.name ?? "-")" }
  var able: [Player] { players.filter(\.isAble) }
}

@KeyValueObservable
private final class Player {
  let name: String
  var isAble = false
  weak var friend: Player?

  init(_ name: String) { self.name = name }
}
