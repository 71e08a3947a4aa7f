import KeyValueObserving
import Testing

// Observations that a transaction names, so that they are not notified (P57).
extension TransactionDifferenceTests {
  @Test("P47, P57: a change follows a prior notification also if the next is made in its name")
  func priorBeforeName() {
    let token = observe("sum", first, \.sum, [.new, .prior])
    try? withKeyValueTransaction {
      try? withKeyValueTransaction {
        first.x = 3
        throw Refusal()
      }
      withKeyValueTransaction(withoutNotifying: [token]) { first.x = 1 }
      throw Refusal()
    }
    #expect(take() == ["prior sum: prior setting", "sum: setting to 0"])
    withExtendedLifetime(token) {}
  }

  @Test("P52, P57: what was taken back delivers no change of a path that is to be passed over")
  func takenBackLinkOfExcludedPath() {
    second.next = first
    let token = observe("path", second, \.next?.reach)
    let other = observe("next", second, \.next, [.prior])
    withKeyValueTransaction(withoutNotifying: [token]) {
      try? withKeyValueTransaction {
        second.next = nil
        throw Refusal()
      }
      first.next = branch
    }
    let path = take().filter { $0.hasPrefix("path") }
    #expect(path == [])
    first.next = nil
    #expect(take() == ["path: setting from 0 to -1"])
    withExtendedLifetime((token, other)) {}
  }

  @Test("P47, P57: what was taken back is no change that was made without a name")
  func takenBackInputOfExcludedKey() {
    let named = observe("sum", first, \.sum)
    let withPrior = observe("prior", first, \.sum, [.old, .new, .prior])
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        first.x = 1
        throw Refusal()
      }
      withKeyValueTransaction(withoutNotifying: [named, withPrior]) { first.y = 2 }
    }
    // The one that has received a prior notification receives the change that follows it.
    #expect(take() == ["prior prior: prior setting from 0", "prior: setting from 0 to 2"])
    withExtendedLifetime((named, withPrior)) {}
  }

  @Test("P52, P57: what was taken back was not made without a name")
  func nameAfterRollback() {
    let token = observe("path", first, \.next?.tags)
    let other = observe("prior", first, \.next, [.prior])
    withKeyValueTransaction {
      try? withKeyValueTransaction {
        first.next = items[2]
        throw Refusal()
      }
      withKeyValueTransaction(withoutNotifying: [token]) { first.next = second }
    }
    #expect(take() == ["prior prior: prior setting", "prior: setting"])
    withExtendedLifetime(other) {}
  }

  @Test(
    "P9, P57: an observation that was passed over knows the value that it has not received",
    arguments: [["x"], ["next", "x"], ["sum"], ["next", "sum"]])
  func distinctAfterPassingOver(path: [String]) throws {
    first.next = first
    let token = try first.observe(
      path.joined(separator: "."), options: [.distinct, .old, .new]
    ) { [record] _, change in record.lines.append("\(change)") }
    withKeyValueTransaction(withoutNotifying: [token]) { first.x = 1 }
    first.x = 0
    withKeyValueTransaction(withoutNotifying: [token]) { first.x = 2 }
    withKeyValueTransaction { first.x = 2 }
    #expect(take() == ["setting from 1 to 0"])
    first.next = nil
    withExtendedLifetime(token) {}
  }

  @Test("P52, P57: an overridden property is passed over one of whose inputs was put back")
  func takenBackInputOfOverriddenProperty() {
    let token = observe("y", branch, \.y)
    withKeyValueTransaction(withoutNotifying: [token]) {
      try? withKeyValueTransaction {
        branch.bonus = 1
        throw Refusal()
      }
      branch.y = 1
    }
    #expect(take() == [])
    branch.y = 2
    #expect(take() == ["y: setting from 1 to 2"])
    withExtendedLifetime(token) {}
  }

  @Test("P57: an observer is not passed over that has the address of one that is gone")
  func addressOfName() {
    for _ in 0..<20 {
      let ended = observe("ended", first, \.friend?.y)
      var late: KeyValueObservation?
      withKeyValueTransaction(withoutNotifying: [ended]) {
        ended.invalidate()
        late = observe("late", second, \.friend?.y)
        second.friend = first
      }
      #expect(take() == ["late: setting from nil to 0, path changed"])
      late = nil
      second.friend = nil
      withExtendedLifetime(late) {}
    }
  }
}
