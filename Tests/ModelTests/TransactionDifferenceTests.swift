import KeyValueObserving
import Testing

/// The smallest programs with transactions for which the library does, or did, something else than is
/// promised.
@Suite("Known differences of transactions")
struct TransactionDifferenceTests {
  final class Record {
    var lines: [String] = []
  }

  let record = Record()
  let items: [Item]
  let branch: BranchItem

  init() {
    let census = Census()
    items = (0..<3).map { Item(number: $0, census: census) }
    branch = BranchItem(number: 3, census: census)
  }

  var first: Item { items[0] }
  var second: Item { items[1] }

  func take() -> [String] {
    defer { record.lines = [] }
    return record.lines
  }

  /// Observes old and new values, and calls a closure with the number of each change.
  func observe<Value>(
    _ name: String, _ item: Item, _ keyPath: KeyPath<Item, Value>,
    _ options: KeyValueObservation.Options = [.old, .new],
    _ then: @escaping (_ count: Int) -> Void = { _ in }
  ) -> KeyValueObservation {
    var count = 0
    return item.observe(keyPath, options: options) { [record] _, change in
      let prior = change.isPrior ? "prior " : ""
      record.lines.append("\(prior)\(name): \(change)")
      if change.isPrior { return }
      count += 1
      then(count)
    }
  }

  // MARK: Re-entrancy

  @Test("P11, P48: what the observer of a computed key sets at the end is delivered behind")
  func setByObserverOfComputedKey() {
    let tokens = [
      observe("sum", first, \.sum) { [first] in if $0 == 1 { first.x = 3 } },
      observe("x", first, \.x),
    ]
    withKeyValueTransaction { first.x = 1 }
    #expect(
      take() == [
        "x: setting from 0 to 1", "sum: setting from 0 to 1", "x: setting from 1 to 3",
        "sum: setting from 1 to 3",
      ])
    first.x = 4
    #expect(take() == ["x: setting from 3 to 4", "sum: setting from 3 to 4"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P11, P48: a set of the last key waits for the change of a path whose object was replaced")
  func setBeforePath() {
    let tokens = [
      observe("path", first, \.next?.x),
      observe("x", second, \.x) { [second] in if $0 == 1 { second.x = 2 } },
    ]
    withKeyValueTransaction {
      second.x = 3
      first.next = second
    }
    #expect(
      take() == [
        "x: setting from 0 to 3", "x: setting from 3 to 2",
        "path: setting from nil to 3, path changed",
        "path: setting from 3 to 2",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "P11, P53: what an observer sets waits for observers that were registered in the transaction")
  func setBeforeLateObserver() {
    var tokens = [observe("x", first, \.x) { [first] in if $0 == 1 { first.x = 3 } }]
    second.next = first
    withKeyValueTransaction {
      first.x = 2
      tokens.append(
        observe("late", second, \.next?.x) { [second, branch] in
          if $0 == 1 { second.next = branch }
        })
      first.x = 1
    }
    #expect(
      take().filter { $0.hasPrefix("late") } == [
        "late: setting from 2 to 1", "late: setting from 1 to 3",
        "late: setting from 3 to 0, path changed",
      ])
    second.next = nil
    withExtendedLifetime(tokens) {}
  }

  @Test("P11, P53: a late observer of a computed key receives its own change first")
  func setBeforeLateObserverOfComputedKey() {
    var tokens = [observe("sum", first, \.sum) { [first] in if $0 == 1 { first.x = 3 } }]
    withKeyValueTransaction {
      first.x = 1
      tokens.append(observe("late", first, \.sum))
      first.x = 2
    }
    let late = take().filter { $0.hasPrefix("late") }
    #expect(late == ["late: setting from 1 to 2", "late: setting from 2 to 3"])
  }

  @Test("P11, P53: what an observer sets waits for late observers also if others are not notified")
  func setBeforeOnlyLateObservers() {
    let other = observe("sum", first, \.sum)
    first.x = 3
    _ = take()
    var late: [KeyValueObservation] = []
    try? withKeyValueTransaction {
      first.x = 0
      late = [
        observe("late sum", first, \.sum), observe("another", first, \.sum),
        observe("late x", first, \.x) { [first] in if $0 == 1 { first.x = 0 } },
      ]
      throw Refusal()
    }
    let lines = take()
    for name in ["late sum", "another"] {
      #expect(
        lines.filter { $0.hasPrefix(name) } == [
          "\(name): setting from 0 to 3", "\(name): setting from 3 to 0",
        ])
    }
    withExtendedLifetime((other, late)) {}
  }

  @Test("P11, P19, P53: a pair that an observer of an input completes waits for late observers")
  func pairBeforeLateObserver() {
    var tokens = [
      observe("x", first, \.x) { [first] in
        if $0 == 1 {
          first.willChangeValue(for: \.sum)
          first.didChangeValue(for: \.sum)
        }
      },
      observe("sum", first, \.sum),
    ]
    withKeyValueTransaction {
      first.x = 1
      tokens.append(observe("late", first, \.sum))
      first.x = 2
    }
    let late = take().filter { $0.hasPrefix("late") }
    #expect(late == ["late: setting from 1 to 2", "late: setting from 2 to 2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P53: an observer that found a value which was taken back is notified of that in any case")
  func lateObserverOfValueTakenBack() {
    let other = observe("x", first, \.x)
    var late: KeyValueObservation?
    try? withKeyValueTransaction {
      try? withKeyValueTransaction {
        first.x = 1
        late = observe("late", first, \.x)
        throw Refusal()
      }
      withKeyValueTransaction { first.x = 2 }
      throw Refusal()
    }
    #expect(take() == ["late: setting from 1 to 0"])
    withExtendedLifetime((other, late)) {}
  }

  @Test(
    "P47, P53: a late observer of a key computed from an overridden property receives the prior first"
  )
  func lateObserverOfOverriddenInputTakenBack() {
    let other = observe("y", branch, \.y)
    var late: KeyValueObservation?
    try? withKeyValueTransaction {
      branch.y = 2
      late = observe("late", branch, \.sum, [.old, .new, .prior])
      throw Refusal()
    }
    #expect(take() == ["prior late: prior setting from 2", "late: setting from 2 to 0"])
    withExtendedLifetime((other, late)) {}
  }

  @Test(
    "P52, P53: a late observer found the value of a pair that is taken back",
    arguments: [true, false])
  func lateObserverOfPairTakenBack(isNested: Bool) {
    var late: KeyValueObservation?
    let pair = {
      branch.willChangeValue(for: \.bonus)
      branch.didChangeValue(for: \.bonus)
    }
    try? withKeyValueTransaction {
      pair()
      if isNested { withKeyValueTransaction(pair) } else { pair() }
      late = observe("late", branch, \.sum)
      throw Refusal()
    }
    #expect(take() == ["late: setting from 0 to 0"])
    withExtendedLifetime(late) {}
  }

  @Test("P47, P53: a value that only late observers have found is no change for others")
  func overriddenFoundByLateObserver() {
    let others = [observe("y", branch, \.y), observe("prior", branch, \.y, [.old, .new, .prior])]
    var late: [KeyValueObservation] = []
    try? withKeyValueTransaction {
      branch.y = 1
      late = [observe("late sum", branch, \.sum), observe("late y", branch, \.y)]
      throw Refusal()
    }
    #expect(
      take() == [
        "prior prior: prior setting from 0", "prior: setting from 0 to 0",
        "late y: setting from 1 to 0", "late sum: setting from 1 to 0",
      ])
    withExtendedLifetime((others, late)) {}
  }

  @Test("P46, P53: an input that is found by a late observer alone changes nothing for others")
  func inputFoundByLateObserver() {
    let other = observe("echo", first, \.echo)
    var late: KeyValueObservation?
    try? withKeyValueTransaction {
      first.friend = second
      second.x = 5
      late = observe("late", first, \.echo)
      throw Refusal()
    }
    #expect(take() == ["late: setting from 5 to -1"])
    withExtendedLifetime((other, late)) {}
  }

  @Test("P49, P53: an array that was edited before a late observer, and taken back, is a setting")
  func lateObserverOfEditTakenBack() {
    var late: KeyValueObservation?
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        first.tags.append(1)
        late = observe("late", first, \.tags)
        first.tags = [1]
        throw Refusal()
      }
      first.mutableArrayValue(for: \.tags).append(2)
    }
    #expect(take() == ["late: setting from [1] to [2]"])
    withExtendedLifetime(late) {}
  }

  @Test("P49, P52: an edit behind a set that was taken back keeps its kind")
  func editBehindSetTakenBack() {
    let token = observe("members", first, \.members, .new)
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        first.members = [0]
        throw Refusal()
      }
      first.mutableSetValue(for: \.members).insert(0)
    }
    #expect(take() == ["members: insertion of [0]"])
    withExtendedLifetime(token) {}
  }

  // MARK: Overridden properties

  @Test("P44, P47: an overridden property that is set after one of its inputs has one change")
  func overriddenAfterInput() {
    let token = observe("y", branch, \.y, [.old, .new, .prior])
    withKeyValueTransaction {
      branch.bonus = 2
      branch.y = 3
    }
    #expect(take() == ["prior y: prior setting from 0", "y: setting from 0 to 3"])
    withExtendedLifetime(token) {}
  }

  @Test("P52: an input of an overridden property whose own change was taken back is delivered")
  func overriddenTakenBack() {
    let token = observe("y", branch, \.y)
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        branch.y = 1
        throw Refusal()
      }
      branch.bonus = 3
    }
    #expect(take() == ["y: setting from 0 to 3"])
    withExtendedLifetime(token) {}
  }

  @Test("P48: a transaction of a callback waits for the change of an overridden property")
  func overriddenInCallback() {
    let tokens = [
      observe("x", branch, \.x) { [branch] in
        if $0 == 1 { withKeyValueTransaction { branch.y += 1 } }
      },
      observe("y", branch, \.y),
    ]
    withKeyValueTransaction {
      branch.x = 1
      branch.bonus = 1
    }
    #expect(
      take() == ["x: setting from 0 to 1", "y: setting from 0 to 1", "y: setting from 1 to 2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("P50: a rollback does not set an overridden property that a block has only notified of")
  func overriddenInBlockTakenBack() {
    try? withKeyValueTransaction {
      branch.bonus = 2
      branch.withMutation(of: \.y) {}
      branch.willChangeValue(for: \.y)
      branch.bonus = 4
      branch.didChangeValue(for: \.y)
      throw Refusal()
    }
    #expect(branch.y == 0)
    branch.bonus = 0
    #expect(branch.y == 0)
  }

  // MARK: Deallocation

  @Test("P32, P54: an observer is released whose source is deallocated in a transaction")
  func sourceInTransaction() {
    final class Captured {}
    weak var witness: Captured?
    var source: Item? = Item(number: 9, census: Census())
    var observers: [KeyValueObserver?] = []
    do {
      let captured = Captured()
      witness = captured
      for keyPath in [\Item.sum, \Item.x] {
        observers.append(
          source.map {
            KeyValueObserver(source: $0, keyPath: keyPath, options: []) { [record] _, reason in
              record.lines.append("\(reason) \(captured === witness)")
            }
          })
      }
    }
    withKeyValueTransaction {
      source = nil
      #expect(take() == [])
    }
    #expect(take() == ["sourceDeleted true", "sourceDeleted true"])
    #expect(witness == nil)
    withExtendedLifetime((observers, source)) {}
  }

  // MARK: Pairs

  @Test("P44, P55: a path is notified of a set behind a pair of its last key")
  func setAfterPair() {
    first.next = second
    let token = observe("path", first, \.next?.tags)
    withKeyValueTransaction {
      second.willChangeValue(for: \.tags)
      second.didChangeValue(for: \.tags)
      second.tags.append(2)
    }
    #expect(take() == ["path: setting from [] to [2]"])
    withExtendedLifetime(token) {}
  }

  @Test(
    "P38, P55: a path that is registered in a pair does not take the values of one that is gone")
  func addressInPair() throws {
    for _ in 0..<20 {
      let token = observe("reach", first, \.reach)
      let ended = observe("ended", first, \.next?.y, [.distinct, .old, .new])
      var late: KeyValueObservation?
      try withKeyValueTransaction {
        first.willChangeValue(for: \.next)
        ended.invalidate()
        late = try first.observe("next.level", options: [.old, .new]) { [record] _, change in
          record.lines.append("late: \(change)")
        }
        first.didChangeValue(for: \.next)
      }
      #expect(
        take() == ["late: setting from nil to nil, path changed", "reach: setting from -1 to -1"])
      withExtendedLifetime((token, late)) {}
    }
  }
}
