import KeyValueObserving
import Testing

// Observations that are registered in a transaction (P53).
extension TransactionDifferenceTests {
  @Test(
    "P44, P53: a path that has come back receives no change that only a late observer has found")
  func lateObserverOfFormerPath() {
    let third = items[2]
    third.friend = branch
    first.next = third
    let token = observe("path", first, \.next?.echo)
    var late: KeyValueObservation?
    try? withKeyValueTransaction {
      first.next = branch
      branch.friend = branch
      try withKeyValueTransaction {
        branch.x = 2
        late = observe("late", third, \.echo)
        throw Refusal()
      }
    }
    #expect(take() == ["late: setting from 2 to 0"])
    branch.friend = nil
    withExtendedLifetime((token, late)) {}
  }

  @Test("P11, P53: a path does not move in a nested rollback that late observers are notified of")
  func pathOfLateObserver() {
    first.next = second
    let token = observe("path", first, \.next?.sum)
    var late: KeyValueObservation?
    try? withKeyValueTransaction {
      first.next = items[2]
      second.y = 3
      late = observe("late", second, \.sum)
      try? withKeyValueTransaction { throw Refusal() }
      throw Refusal()
    }
    #expect(take() == ["late: setting from 3 to 0"])
    second.x = 1
    #expect(take() == ["path: setting from 0 to 1", "late: setting from 0 to 1"])
    withExtendedLifetime((token, late)) {}
  }
}
