import KeyValueObserving
import Testing

@testable import KeyValueObservingCore

/// Which changes are one group, and which objects they are recorded of.
@Suite struct CoalescingTests {
  @Test("P61: a change that is made after the interval is a group of its own")
  func interval() throws {
    let deposit = Deposit()
    let history = KeyValueHistory(of: deposit, coalescing: .microseconds(1))
    deposit.x = 1
    let end = ContinuousClock.now + .milliseconds(1)
    while ContinuousClock.now < end {}
    deposit.x = 2
    try history.undo()
    #expect(deposit.x == 1)
    try history.undo()
    #expect(deposit.x == 0)
    #expect(!history.canUndo)
  }

  @Test("P61: the interval begins anew with each change that joins the group")
  func intervalOfJoined() throws {
    let deposit = Deposit()
    let property = try #require(deposit.keyValueProperty(forKey: "x"))
    let start = ContinuousClock.now
    func group(after seconds: Int) -> HistoryGroup {
      let group = HistoryGroup(.program, number: seconds, name: nil)
      group.append(HistoryStep(.value(ValueBox(0)), of: property, in: deposit))
      group.lastChange = start + .seconds(seconds)
      return group
    }
    let first = group(after: 0)
    for seconds in [6, 12, 18] {
      #expect(first.join(group(after: seconds), within: .seconds(10)))
    }
    #expect(!first.join(group(after: 29), within: .seconds(10)))
  }

  @Test("P61: a change joins no group from before an undo")
  func beforeUndo() throws {
    let deposit = Deposit()
    let history = KeyValueHistory(of: deposit, coalescing: .seconds(3600))
    deposit.x = 1
    deposit.y = 1
    try history.undo()
    #expect(deposit.y == 0)
    deposit.x = 2
    try history.undo()
    #expect(deposit.x == 1)
  }

  @Test("P59: a change is recorded of an object with the address of one that is gone")
  func address() throws {
    let deposit = Deposit()
    let history = KeyValueHistory(of: deposit)
    var last: Deposit?
    let token = deposit.observe(\.x) { [unowned history] _, _ in
      // Mostly one has the address of the one before the last.
      for _ in 0..<20 {
        let account = Deposit()
        history.record(account)
        account.x = 1
        last = account
      }
    }
    deposit.x = 1
    token.invalidate()
    try history.undo()
    #expect(last?.x == 0)
  }

  @Test("P61: a change joins no group that was undone or redone")
  func acrossUndo() throws {
    let deposit = Deposit()
    let history = KeyValueHistory(of: deposit, coalescing: .seconds(3600))
    deposit.x = 1
    deposit.x = 2
    try history.undo()
    #expect(deposit.x == 0)
    try history.redo()
    deposit.x = 3
    try history.undo()
    #expect(deposit.x == 2)
    try history.undo()
    #expect(deposit.x == 0)
    deposit.x = 4
    deposit.x = 5
    try history.undo()
    #expect(deposit.x == 0)
    #expect(!history.canUndo)
  }

  @Test("P58: an object that was reached once stays recorded")
  func formerlyReachable() throws {
    let (deposit, next) = (Deposit(), Deposit())
    deposit.next = next
    let history = KeyValueHistory(of: deposit, includingReachable: true)
    deposit.next = nil
    next.x = 1
    try history.undo()
    #expect(next.x == 0)
    #expect(deposit.next == nil)
    try history.undo()
    #expect(deposit.next === next)
  }
}
