import KeyValueObserving
import Testing

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
